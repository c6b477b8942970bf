"""`reqrun lsp` as pytest-lsp's client sees it, which checks each message against the types of the protocol.

REQRUN is the program; run by Scripts/check-editors.
"""
import os, pathlib

import pytest, pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

TEXT = """\
variables:
  copy: ${{ host }}
requests:
  - name: log in
    url: ${{ copy }}/anything?é=${{ upper('a') }}
    capture: {token: $.method}
  - name: me
    url: ${{ host }}/anything/${{ token }}
    expect:
      stauts: 200
      json: {$.method: GET}
"""


@pytest_lsp.fixture(
    params=["visual-studio-code", "neovim@v0.6", "neovim", "emacs"],
    config=ClientServerConfig(server_command=[os.environ["REQRUN"], "lsp"]))
async def client(request, lsp_client: LanguageClient, tmp_path):
    (tmp_path / "reqrun.yaml").write_text("demo: true\nvariables: {host: '${{ demo }}'}\n")
    (tmp_path / "api.yaml").write_text(TEXT)
    folder = types.WorkspaceFolder(uri=tmp_path.as_uri(), name="tests")
    result = await lsp_client.initialize_session(types.InitializeParams(
        capabilities=client_capabilities(request.param), workspace_folders=[folder], root_uri=tmp_path.as_uri()))
    lsp_client.encoding = result.capabilities.position_encoding
    lsp_client.uri = (tmp_path / "api.yaml").as_uri()
    yield
    await lsp_client.shutdown_session()


def opened(client: LanguageClient, text=TEXT):
    client.text_document_did_open(types.DidOpenTextDocumentParams(
        text_document=types.TextDocumentItem(uri=client.uri, language_id="yaml", version=1, text=text)))
    return types.TextDocumentIdentifier(uri=client.uri), text


def place(client, text, needle, offset=0):
    """The position in the unit that client and server agreed on."""
    before = text[:text.index(needle) + offset]
    line = before.rsplit("\n", 1)[-1]
    count = len(line.encode()) if client.encoding == "utf-8" else len(line.encode("utf-16-le")) // 2
    return types.Position(line=before.count("\n"), character=count)


@pytest.mark.asyncio
async def test_everything(client: LanguageClient):
    document, text = opened(client)
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    [problem] = client.diagnostics[client.uri]
    assert "stauts" in problem.message and problem.range.start.line == 9
    [fix] = await client.text_document_code_action_async(types.CodeActionParams(
        text_document=document, range=problem.range, context=types.CodeActionContext(diagnostics=[problem])))
    assert fix.edit.changes[client.uri][0].new_text == "status"

    at = lambda needle, offset=0: dict(text_document=document, position=place(client, text, needle, offset))
    found = await client.text_document_completion_async(types.CompletionParams(**at("token }}", 2)))
    items = found.items if isinstance(found, types.CompletionList) else found
    assert {item.label: item.detail for item in items}["token"].startswith("captured by \"log in\", line 4")
    hover = await client.text_document_hover_async(types.HoverParams(**at("host }}")))
    assert "`host`" in hover.contents.value
    definition = await client.text_document_definition_async(types.DefinitionParams(**at("token }}", 1)))
    assert definition.range.start == place(client, text, "token: $")
    places = await client.text_document_references_async(types.ReferenceParams(
        **at("token }}", 1), context=types.ReferenceContext(include_declaration=True)))
    assert len(places) == 2
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(**at("token }}", 1)))
    assert prepared.placeholder == "token"
    edit = await client.text_document_rename_async(types.RenameParams(**at("token }}", 1), new_name="key"))
    assert len(edit.changes[client.uri]) == 2
    help = await client.text_document_signature_help_async(types.SignatureHelpParams(**at("'a')")))
    assert help.signatures[0].label == "upper(text)"
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=document))
    assert [symbol.name for symbol in symbols] == ["log in", "me"]
    assert await client.text_document_folding_range_async(types.FoldingRangeParams(text_document=document))
    assert await client.text_document_selection_range_async(
        types.SelectionRangeParams(text_document=document, positions=[place(client, text, "GET")]))
    assert await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(text_document=document))
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(text_document=document))
    assert [lens.command.title for lens in lenses].count("run") == 2
    assert await client.workspace_symbol_async(types.WorkspaceSymbolParams(query="me"))

    client.text_document_did_change(types.DidChangeTextDocumentParams(
        text_document=types.VersionedTextDocumentIdentifier(uri=client.uri, version=2),
        content_changes=[types.TextDocumentContentChangePartial(
            range=types.Range(start=place(client, text, "stauts"), end=place(client, text, "stauts", 6)), text="status")]))
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert not client.diagnostics[client.uri]
    run = [lens.command for lens in lenses if lens.command.title == "run"][-1]
    result = await client.workspace_execute_command_async(
        types.ExecuteCommandParams(command=run.command, arguments=run.arguments))
    assert (result["passed"], result["ok"]) == (2, True)
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(
        text_document=document, range=types.Range(start=types.Position(0, 0), end=types.Position(99, 0))))
    assert any("200" in hint.label for hint in hints)
