import Values

/// The transfers of a request: a response that isn't one body in memory, or a body that is sent in several exchanges.
///
/// Each key is replaced whole, and at most one of them may be given.
@usableFromInline package struct TransferSettings: Sendable {
  package var download = Setting<DownloadSpec>.inherited
  package var upload = Setting<UploadSpec>.inherited
  @usableFromInline package var stream = Setting<StreamSpec>.inherited
  package var hls = Setting<HLSSpec>.inherited
  /// The messages that are sent over the WebSocket around the request once it has passed.
  package var messages = Setting<[MessageSpec]>.inherited

  package init() {}

  /// The keys that are given.
  package var given: [(key: String, range: SourceRange)] {
    let all = [
      ("download", download.value?.range), ("upload", upload.value?.range), ("stream", stream.value?.range),
      ("hls", hls.value?.range),
    ]
    return all.compactMap { key, range in range.map { (key, $0) } }
  }

  /// The place of the response's target.
  package var place: SourceRange? { download.value?.to.range ?? given.first?.range }
}

extension TransferSettings: LayeredSettings {
  package static let settingKeys = SettingKeys<TransferSettings>([
    SettingKey(
      RequestKey.download.rawValue,
      "a path, or `{to: …, resume: …, overwrite: …, create_directories: …, sha256: …, md5: …, length: …, unzip: …, "
        + "parallel: …}`: see \"Downloads\"",
      synonyms: "output",
      .whole(
        DownloadDraft.keys.shape(needed: ["to"]).or(ValueDecoder<FileReference>.filePath.shape),
        templates: \.templates
      ) { $0.download($1) }, { $0.download }, { $0.download = $1 }),
    SettingKey(
      RequestKey.upload.rawValue, "a file in one piece or in segments: see \"Uploads\"",
      .whole(UploadDraft.keys.shape(needed: ["file"]), templates: \.templates) { $0.upload($1) }, { $0.upload },
      { $0.upload = $1 }),
    SettingKey(
      RequestKey.stream.rawValue, "a response that is read event by event: see \"Streams\"", synonyms: "sse",
      .whole(
        StreamSpec.keys.shape().or(StreamSpec.formats.shape), templates: \.templates,
        needs: { stream, needs in
          if stream.format == .websocket { needs.append(Located(.upgrade, at: stream.range.firstLine)) }
        }
      ) { $0.stream($1) },
      { $0.stream }, { $0.stream = $1 }),
    SettingKey(
      RequestKey.hls.rawValue,
      "a directory, or `{to: directory, …}`: stores the stream of a playlist; see \"HTTP Live Streaming\" below",
      .whole(
        HLSDraft.keys.shape(needed: ["to"]).or(ValueDecoder<FileReference>.filePath.shape), templates: \.templates
      ) { $0.hls($1) }, { $0.hls }, { $0.hls = $1 }),
    SettingKey(
      RequestKey.send.rawValue,
      "messages for the WebSocket during which the request is sent, once it has passed: see \"WebSockets\"",
      .whole(MessageDraft.listShape, templates: { $0.flatMap(\.templates) }) { $0.messagesDuring($1) },
      { $0.messages }, { $0.messages = $1 }),
  ])
}
