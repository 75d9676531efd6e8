"""Drives the language server with a client library of other people's, as an editor does.

client.py SERVER [ARGUMENT …]; exits with 77 where pygls is not installed.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

try:
    from lsprotocol import types as lsp
    from pygls.lsp.client import LanguageClient
except ImportError as missing:
    print(f"SKIP: {missing}; packaging/setup.sh installs it")
    sys.exit(77)

RECIPE = """\
seed: 1
n_mels: 40
compute_features: !new:speechbrain.lobes.features.Fbank
    n_mels: !ref <n_mels>
title: 小明 😀 # !ref <n_mels> is no reference here
folder: [小, 😀, !ref results/<seed>]
"""


class Editor:
    """One open recipe and what the server has said of it."""

    def __init__(self, client, path):
        self.client = client
        self.uri = path.as_uri()
        self.text = RECIPE
        self.version = 1
        self.published = asyncio.Queue()

        @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params):
            self.published.put_nowait(params)

    @property
    def document(self):
        return lsp.TextDocumentIdentifier(uri=self.uri)

    def open(self):
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(
            lsp.TextDocumentItem(self.uri, "yaml", self.version, self.text)))

    def place(self, word, occurrence=0, inside=1):
        """Where the word stands, in UTF-16 units."""
        at = -1
        for _ in range(occurrence + 1):
            at = self.text.index(word, at + 1)
        before = self.text[:at + inside]
        column = len(before.rpartition("\n")[2].encode("utf-16-le")) // 2
        return lsp.Position(before.count("\n"), column)

    def offset(self, position):
        lines = self.text.split("\n")
        units = lines[position.line].encode("utf-16-le")[:2 * position.character]
        return sum(len(line) + 1 for line in lines[:position.line]) + len(units.decode("utf-16-le"))

    def apply(self, edits):
        """The edits as an editor makes them, told to the server one by one from the last."""
        self.version += 1
        changes = []
        for edit in sorted(edits, key=lambda e: self.offset(e.range.start), reverse=True):
            begin, end = self.offset(edit.range.start), self.offset(edit.range.end)
            self.text = self.text[:begin] + edit.new_text + self.text[end:]
            changes.append(lsp.TextDocumentContentChangePartial(range=edit.range, text=edit.new_text))
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(
            lsp.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri), changes))

    async def diagnostics(self):
        """Of the text as it stands."""
        while True:
            published = await asyncio.wait_for(self.published.get(), 20)
            if published.version == self.version:
                return published.diagnostics


async def fix_a_broken_reference(editor):
    begin = editor.place("<n_mels>", 0, 1)
    wrong = lsp.Range(begin, lsp.Position(begin.line, begin.character + 6))
    editor.apply([lsp.TextEdit(wrong, "n_mesl")])
    found = [d for d in await editor.diagnostics() if d.code == "unknown-reference"]
    assert len(found) == 1, found
    assert found[0].range == wrong, found[0].range
    actions = await editor.client.text_document_code_action_async(lsp.CodeActionParams(
        editor.document, found[0].range, lsp.CodeActionContext(diagnostics=found)))
    assert actions[0].title == "Replace 'n_mesl' by 'n_mels'", actions
    assert [d.message for d in actions[0].diagnostics] == [found[0].message], actions[0]
    editor.apply(actions[0].edit.changes[editor.uri])
    assert editor.text == RECIPE, editor.text
    assert not [d for d in await editor.diagnostics() if d.code == "unknown-reference"]


async def complete_half_a_line(editor):
    end = lsp.Position(editor.text.count("\n"), 0)
    editor.apply([lsp.TextEdit(lsp.Range(end, end), "x: !ref <me")])
    caret = lsp.Position(end.line, len("x: !ref <me"))
    found = await editor.client.text_document_completion_async(
        lsp.CompletionParams(editor.document, caret))
    assert found.items[0].label == "n_mels", found.items
    editor.apply([found.items[0].text_edit])
    assert editor.text == RECIPE + "x: !ref <n_mels>", editor.text
    assert not [d for d in await editor.diagnostics() if d.code in ("syntax", "unknown-reference")]


async def look_around(editor):
    at = editor.place("<seed>", 0, 2)
    hover = await editor.client.text_document_hover_async(lsp.HoverParams(editor.document, at))
    assert hover.contents.value.startswith("**seed: int** = `1`"), hover
    defined = await editor.client.text_document_definition_async(
        lsp.DefinitionParams(editor.document, at))
    assert defined.uri == editor.uri and defined.range.start == lsp.Position(0, 0), defined
    used = await editor.client.text_document_references_async(lsp.ReferenceParams(
        lsp.ReferenceContext(include_declaration=True), editor.document, at))
    assert [place.range.start.line for place in used] == [0, 5], used
    symbols = await editor.client.text_document_document_symbol_async(
        lsp.DocumentSymbolParams(editor.document))
    assert symbols[2].detail == "Fbank" and symbols[2].children[0].name == "n_mels", symbols
    folds = await editor.client.text_document_folding_range_async(
        lsp.FoldingRangeParams(editor.document))
    assert (folds[0].start_line, folds[0].end_line) == (2, 3), folds


async def rename_behind_wide_characters(editor):
    at = editor.place("<seed>", 0, 2)
    prepared = await editor.client.text_document_prepare_rename_async(
        lsp.PrepareRenameParams(editor.document, at))
    assert prepared.placeholder == "seed", prepared
    edit = await editor.client.text_document_rename_async(
        lsp.RenameParams(editor.document, at, "种子"))
    before = editor.text
    editor.apply(edit.changes[editor.uri])
    wanted = before.replace("seed: 1", "种子: 1").replace("<seed>", "<种子>")
    assert editor.text == wanted, editor.text
    assert not [d for d in await editor.diagnostics() if d.code == "unknown-reference"]


async def main(command):
    with tempfile.TemporaryDirectory() as folder:
        client = LanguageClient("earwright-test", "1")
        editor = Editor(client, Path(folder) / "recipe.yaml")
        await client.start_io(*command)
        told = await client.initialize_async(lsp.InitializeParams(
            capabilities=lsp.ClientCapabilities(), process_id=None, root_uri=None))
        assert told.capabilities.position_encoding == "utf-16", told
        client.initialized(lsp.InitializedParams())
        editor.open()
        await editor.diagnostics()
        for step in (fix_a_broken_reference, complete_half_a_line, look_around,
                     rename_behind_wide_characters):
            await step(editor)
            print("passed:", step.__name__)
        await client.shutdown_async(None)
        client.exit(None)
        code = await asyncio.wait_for(client._server.wait(), 20)
        assert code == 0, code


asyncio.run(main(sys.argv[1:]))
