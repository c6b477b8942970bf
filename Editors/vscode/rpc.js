"use strict";

/** The bytes within which the header of a message ends. */
const HEADER_LIMIT = 4096;
const UNKNOWN_METHOD = -32601;

/** A client's side of JSON-RPC 2.0 over two streams, with the framing of the Language Server Protocol. */
class Connection {
  closed;
  pending = new Map();
  lastID = 0;
  chunks = [];
  size = 0;
  wanted = 0;

  /**
   * @param notified takes the method and params of a notification.
   * @param broken takes the reason why the other side can't be understood.
   */
  constructor(input, output, notified, broken) {
    this.output = output;
    this.notified = notified;
    this.broken = broken;
    input.on("data", (chunk) => this.#receive(chunk));
  }

  /** Sends a request; a cancelled token asks the other side to give it up. */
  request(method, params, token) {
    if (this.closed) return Promise.reject(this.closed);
    const id = ++this.lastID;
    return new Promise((resolve, reject) => {
      this.#send({id, method, params});
      const cancel = () => this.notify("$/cancelRequest", {id});
      if (token?.isCancellationRequested) cancel();
      this.pending.set(id, {resolve, reject, cancellation: token?.onCancellationRequested(cancel)});
    });
  }

  notify(method, params) {
    if (!this.closed) this.#send({method, params});
  }

  /** Rejects what is pending, and everything from now on. */
  close(error) {
    this.closed ??= error;
    for (const id of this.pending.keys()) this.#settle(id).reject(error);
  }

  #send(message) {
    const body = JSON.stringify({jsonrpc: "2.0", ...message});
    this.output.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  /** Collects chunks until there are as many bytes as are wanted, so that a large message is joined once. */
  #receive(chunk) {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.closed || this.size < this.wanted) return;
    let bytes = Buffer.concat(this.chunks);
    for (;;) {
      const body = bytes.indexOf("\r\n\r\n") + 4;
      this.wanted = bytes.length + 1;
      if (body < 4 && bytes.length < HEADER_LIMIT) break;
      const header = bytes.toString("latin1", 0, Math.min(body, HEADER_LIMIT));
      const length = /^content-length: *(\d{1,9})\r$/im.exec(header)?.[1];
      if (!length) return this.broken(`not a header: ${bytes.toString("latin1", 0, 80)}`);
      const end = body + Number(length);
      this.wanted = end;
      if (bytes.length < end) break;
      try {
        this.#read(JSON.parse(bytes.toString("utf8", body, end)));
      } catch (error) {
        return this.broken(error.message);
      }
      bytes = bytes.subarray(end);
    }
    this.chunks = [bytes];
    this.size = bytes.length;
  }

  #read({id, method, params, result, error}) {
    if (method === undefined) {
      const call = this.#settle(id);
      if (error) call?.reject(Object.assign(new Error(error.message), {code: error.code}));
      else call?.resolve(result);
    } else if (id === undefined) {
      this.notified(method, params);
    } else {
      this.#send({id, error: {code: UNKNOWN_METHOD, message: `unknown method ${method}`}});
    }
  }

  #settle(id) {
    const call = this.pending.get(id);
    this.pending.delete(id);
    call?.cancellation?.dispose();
    return call;
  }
}

module.exports = {Connection};
