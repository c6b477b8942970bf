"use strict";

/** The most bytes before the end of a message's header; more is not the protocol. */
const LONGEST_HEADER = 8192;

/** JSON-RPC 2.0 over two streams, with the framing of the Language Server Protocol. */
class Connection {
  /**
   * @param handlers functions of (method, params): `request` returns the result, `notification` nothing; `broken` gets
   *   the reason why the other side can't be understood.
   */
  constructor(input, output, handlers) {
    this.output = output;
    this.handlers = handlers;
    this.pending = new Map();
    this.lastID = 0;
    this.chunks = [];
    this.size = 0;
    this.wanted = 1;
    this.bodyLength = undefined;
    input.on("data", (chunk) => this.#receive(chunk));
  }

  /** Sends a request; a cancelled token asks the other side to give it up. */
  request(method, params, token) {
    if (this.closed) return Promise.reject(this.closed);
    const id = ++this.lastID;
    return new Promise((resolve, reject) => {
      const cancellation = token?.onCancellationRequested(() => this.notify("$/cancelRequest", {id}));
      this.pending.set(id, {resolve, reject, cancellation});
      this.#send({id, method, params});
      if (token?.isCancellationRequested) this.notify("$/cancelRequest", {id});
    });
  }

  notify(method, params) {
    if (!this.closed) this.#send({method, params});
  }

  /** Rejects what is pending, and everything from now on. */
  close(error) {
    this.closed ??= error;
    for (const id of [...this.pending.keys()]) this.#settle(id)?.reject(error);
  }

  #send(message) {
    const body = Buffer.from(JSON.stringify({jsonrpc: "2.0", ...message}));
    this.output.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.output.write(body);
  }

  /** Collects chunks until there are as many bytes as are wanted, so that large messages are joined once. */
  #receive(chunk) {
    this.chunks.push(chunk);
    this.size += chunk.length;
    while (!this.closed && this.size >= this.wanted) {
      const bytes = Buffer.concat(this.chunks);
      let used = 0;
      let body;
      if (this.bodyLength === undefined) {
        const end = bytes.indexOf("\r\n\r\n");
        const length = /^content-length: *(\d{1,9})$/im.exec(bytes.toString("latin1", 0, Math.max(end, 0)));
        if (length) {
          this.wanted = this.bodyLength = Number(length[1]);
          used = end + 4;
        } else if (end >= 0 || bytes.length > LONGEST_HEADER) {
          return this.handlers.broken(`not a header: ${bytes.toString("latin1", 0, 80)}`);
        } else {
          this.wanted = bytes.length + 1;
        }
      } else {
        used = this.bodyLength;
        this.bodyLength = undefined;
        this.wanted = 1;
        body = bytes.toString("utf8", 0, used);
      }
      this.chunks = [bytes.subarray(used)];
      this.size = bytes.length - used;
      if (body !== undefined) this.#read(body);
    }
  }

  #read(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch (error) {
      return this.handlers.broken(error.message);
    }
    if (message.method === undefined) {
      const call = this.#settle(message.id);
      if (message.error) call?.reject(Object.assign(new Error(message.error.message), {code: message.error.code}));
      else call?.resolve(message.result);
    } else if (message.id === undefined) {
      this.handlers.notification(message.method, message.params);
    } else {
      this.#respond(message);
    }
  }

  async #respond({id, method, params}) {
    let response;
    try {
      response = {result: (await this.handlers.request(method, params)) ?? null};
    } catch (error) {
      response = {error: {code: error.code ?? -32603, message: error.message}};
    }
    if (!this.closed) this.#send({id, ...response});
  }

  #settle(id) {
    const call = this.pending.get(id);
    this.pending.delete(id);
    call?.cancellation?.dispose();
    return call;
  }
}

module.exports = {Connection};
