"""Make the sample documents that ship with the package: python backend/samples/make.py

Six pages each, in English and Chinese: bookmarks, a table and a formula, so that a first run without documents of one's own
shows what the program does with them. The files are committed; this is how to change them.
"""

from __future__ import annotations

import html
import math
from dataclasses import dataclass, field
from pathlib import Path

import pymupdf

OUT = Path(__file__).parent.parent / "docmind" / "samples"
WIDTH, HEIGHT = pymupdf.paper_size("a5")
LEFT, RIGHT, TOP, BOTTOM = 46.0, WIDTH - 46.0, 54.0, HEIGHT - 54.0
INK, LINE = (0.14, 0.13, 0.11), (0.75, 0.72, 0.66)
CSS = """
* { font-family: serif; color: #24211c; }
p { font-size: 10.5px; line-height: 1.5; margin: 0 0 7px 0; }
h1 { font-size: 25px; margin: 0; line-height: 1.2; }
h2 { font-size: 16px; margin: 0 0 9px 0; line-height: 1.3; }
h3 { font-size: 12px; margin: 7px 0 5px 0; line-height: 1.3; }
.sub { font-size: 12px; color: #6b655a; }
.cell { font-size: 9.2px; line-height: 1.35; margin: 0; }
.foot { font-size: 8.5px; color: #6b655a; text-align: center; margin: 0; }
"""


@dataclass
class Sheet:
    """One page: a heading with its level in the outline, and what stands below it."""

    title: str
    parts: list[tuple[str, object]] = field(default_factory=list)
    sections: list[str] = field(default_factory=list)

    def text(self, *paragraphs: str) -> Sheet:
        self.parts += [("p", paragraph) for paragraph in paragraphs]
        return self

    def section(self, title: str, *paragraphs: str) -> Sheet:
        self.parts.append(("h3", title))
        self.sections.append(title)
        return self.text(*paragraphs)

    def table(self, rows: list[tuple[str, ...]]) -> Sheet:
        self.parts.append(("table", rows))
        return self

    def formula(self, *glyphs: tuple[str, str]) -> Sheet:
        self.parts.append(("formula", glyphs))
        return self


def make(name: str, title: str, subtitle: str, sheets: list[Sheet]) -> None:
    document = pymupdf.open()
    outline: list[list[object]] = []
    for number, sheet in enumerate(sheets, start=1):
        page = document.new_page(width=WIDTH, height=HEIGHT)
        y = TOP
        if number == 1:
            y = put(page, 150, f"<h1>{html.escape(title)}</h1>")
            y = put(page, y + 4, f'<p class="sub">{html.escape(subtitle)}</p>') + 26
            outline.append([1, title, 1])
        else:
            y = put(page, y, f"<h2>{html.escape(sheet.title)}</h2>")
            outline.append([1, sheet.title, number])
        outline += [[2, section, number] for section in sheet.sections]
        for kind, part in sheet.parts:
            if kind == "table":
                y = put_table(page, y + 4, part) + 12
            elif kind == "formula":
                y = put_formula(page, y + 12, part) + 18
            else:
                y = put(page, y, f"<{kind}>{html.escape(str(part))}</{kind}>")
        put(page, HEIGHT - 40, f'<p class="foot">{number}</p>')
    document.set_toc(outline)
    document.set_metadata({"title": title, "author": "DocMind"})
    document.subset_fonts()
    OUT.mkdir(exist_ok=True)
    # No dates and no random ids: the same text gives the same file, hence the same document.
    document.save(OUT / name, garbage=4, deflate=True, deflate_fonts=True, use_objstms=1, no_new_id=True)


def put(page: pymupdf.Page, y: float, text: str, left: float = LEFT, right: float = RIGHT) -> float:
    """Set the text and return where it ends."""
    left_over, _ = page.insert_htmlbox(pymupdf.Rect(left, y, right, HEIGHT - 24), text, css=CSS, scale_low=1)
    if left_over < 0:
        raise ValueError(f"no room for {text[:60]}")
    return HEIGHT - 24 - left_over


def put_table(page: pymupdf.Page, y: float, rows: object) -> float:
    assert isinstance(rows, list)
    columns = [LEFT, LEFT + 62, LEFT + 178, RIGHT]
    for index, row in enumerate(rows):
        ends = []
        weight = "<b>{}</b>" if index == 0 else "{}"
        for column, words in enumerate(row):
            text = f'<p class="cell">{weight.format(html.escape(words))}</p>'
            ends.append(put(page, y + 4, text, columns[column] + 5, columns[column + 1] - 3))
        bottom = max(ends) + 4
        for column in range(len(row)):
            page.draw_rect(pymupdf.Rect(columns[column], y, columns[column + 1], bottom), color=LINE, width=0.6)
        y = bottom
    return y


def put_formula(page: pymupdf.Page, y: float, glyphs: object) -> float:
    """Glyphs with their style: r upright, i italic, s italic below the line. "[" begins a fraction, "/" what stands under its bar."""
    assert isinstance(glyphs, tuple)
    upright, italic = pymupdf.Font("tiro"), pymupdf.Font("tiit")
    fonts = {"r": (upright, 15.0, 0.0), "i": (italic, 15.0, 0.0), "s": (italic, 10.0, 4.0)}
    groups: list[list[tuple[str, str]]] = [[], [], []]
    at = 0
    for style, text in glyphs:
        if text in ("[", "/"):
            at = 1 if text == "[" else 2
        elif text == "]":
            at = 0
        else:
            groups[at].append((style, text))
    widths = [sum(fonts[s][0].text_length(t, fonts[s][1]) for s, t in group) for group in groups]
    bar = max(widths[1], widths[2]) + 8
    x = (WIDTH - widths[0] - bar) / 2
    writer = pymupdf.TextWriter(page.rect, color=INK)

    def write(group: list[tuple[str, str]], start: float, base: float) -> float:
        for style, text in group:
            font, size, drop = fonts[style]
            writer.append((start, base + drop), text, font=font, fontsize=size)
            start += font.text_length(text, size)
        return start

    base = y + 22
    x = write(groups[0], x, base)
    write(groups[1], x + (bar - widths[1]) / 2, base - 11)
    write(groups[2], x + (bar - widths[2]) / 2, base + 13)
    writer.write_text(page)
    page.draw_line((x, base - 4.5), (x + bar, base - 4.5), color=INK, width=0.7)
    return y + 44


WEIGHT = (
    ("i", "w"), ("r", "("), ("i", "k"), ("r", ")  =  ln "),
    ("r", "["), ("i", "N"), ("r", " + 1"), ("r", "/"), ("i", "n"), ("s", "k"), ("r", " + 0.5"), ("r", "]"),
)  # fmt: skip


def weights(*head: str) -> list[tuple[str, ...]]:
    """The table of weights, reckoned by the formula above it."""
    items = 400
    rows = [
        (f"{n}", f"{n / items:.2%}", f"{math.log((items + 1) / (n + 0.5)):.2f}") for n in (1, 2, 5, 20, 100, 200, 400)
    ]
    return [head, *rows]


ENGLISH = [
    Sheet("").text(
        "This document came with DocMind, to try things on. Read it, search in it, ask about it and follow the citations "
        "to the lines they quote. Delete it whenever you like; the library can add it again.",
        "Questions to begin with:",
        "What happens to a file before the first question?",
        "How are pages with tables and scanned pages read?",
        "How much more does a rare keyword weigh than a common one?",
        "What leaves this machine when a question is asked?",
    ),
    Sheet("1  From a file to a tree")
    .section(
        "1.1  Kept first, read next",
        "A file that you add is kept first, under a number made from its bytes. The same bytes are the same document, "
        "whatever the file is called: adding a file twice costs nothing.",
        "Then every page is read once, in a process of its own with limits on time and memory. A page that breaks its "
        "reader is marked, and reading goes on after it; the document and the server live on.",
    )
    .section(
        "1.2  A table of contents for the agent",
        "From bookmarks, from printed contents and from headings on the pages grows a tree: sections inside sections, "
        "each with its first and last page, and a note of where it comes from and how sure that is.",
        "The tree is what the agent looks at first, as you look at the contents of a book before you read it.",
    ),
    Sheet("2  From a question to an answer")
    .section(
        "2.1  Rounds of reading",
        "The agent is not given the whole text. It is given tools: to list documents, look through their contents, "
        "search pages, read some of them and look at one as a picture. It works in rounds, within a budget, and the "
        "trail above each answer shows what it did.",
    )
    .section(
        "2.2  Quotes are checked",
        "Each statement ends with a mark that names a document and a page. Before the answer is finished, the quote is "
        "looked for on that page, letter by letter where it can be. If it stands there, the citation is shown as "
        "verified, and a click marks the very lines. If it does not, the citation says so instead of looking sure.",
    )
    .section(
        "2.3  Without a model",
        "With no model set, or none within reach, the offline reader answers: it finds the pages that fit the question "
        "and quotes them. Nothing is made up, and nothing leaves the machine.",
    ),
    Sheet("3  Kinds of pages")
    .text("A page is looked at before it is trusted. Its kind decides how it is read:")
    .table(
        [
            ("Kind", "Known by", "Read as"),
            ("text", "lines of words", "text, its columns in order"),
            ("table", "cells in rows and columns", "text, each row on its line"),
            ("formula", "mathematical fonts and signs", "text, and as a picture by a model that sees"),
            ("figure", "large pictures", "a picture, beside its text"),
            ("scan", "a picture of a page, no text", "what OCR reads on it"),
            ("garbled", "codes in place of letters", "what OCR reads on it"),
        ]
    )
    .text(
        "The kind is shown as a quiet mark beside the page, with the reason for it. Where a page is not what it seems, "
        "the page itself stands beside its text: look at both.",
    ),
    Sheet("4  How memory weighs a word")
    .text(
        "What you say of yourself, and of how answers should be, is remembered by keywords. No vectors are needed, and "
        "each thing shows which words called it up. A keyword k weighs",
    )
    .formula(*WEIGHT)
    .text(
        "where N is the number of things remembered, at least 200, and n with the index k the number of those that hold the "
        "keyword.",
        "With 400 things remembered:",
    )
    .table(weights("held by", "share", "weight"))
    .text("A word that two things hold says seven times as much as one that every second thing holds."),
    Sheet("5  What stays on your machine")
    .text(
        "Files, page texts, trees, conversations and memory lie in one folder on your machine. They can be backed up "
        "and restored as one file.",
        "To the model that you set goes what a question needs, and no more: the question, the pages that were read for "
        "it, and what memory holds on the matter. With a model that runs on your machine, nothing leaves it at all.",
        "Keys are written once and never shown again. A document cannot give orders: what stands on its pages is read "
        "as words to be quoted, not as instructions to be followed.",
    )
    .section(
        "5.1  Memory is yours to change",
        "The memory screen lists everything that is remembered, with where it was said and when it was last used. Each "
        "thing can be edited, pinned, switched off or deleted for good. Off means off: nothing is looked up then.",
    ),
]

CHINESE = [
    Sheet("").text(
        "这份文档随 DocMind 一起提供，供你试用：阅读它、搜索它、就它提问，并顺着引用看到被引用的原文。随时可以删除，以后还能从文库再次添加。",
        "可以先问这些问题：",
        "提问之前，文件经历了什么？",
        "带表格的页面和扫描页面怎样读？",
        "少见的关键词比常见的重多少？",
        "提问时哪些内容会离开这台机器？",
    ),
    Sheet("一  从文件到目录树")
    .section(
        "1.1  先保存，再阅读",
        "加入的文件先保存下来，编号由文件内容算出。内容相同就是同一份文档，与文件名无关：重复添加不花任何代价。",
        "随后每一页只读一次，在单独的进程里进行，时间和内存都有上限。读不了的页面会被标出并跳过，文档和服务照常运行。",
    )
    .section(
        "1.2  给智能体看的目录",
        "书签、印刷的目录和页面上的标题汇成一棵树：节中有节，每节都有起止页，并注明来源和可信程度。",
        "智能体最先看的就是这棵树，正如读书之前先翻目录。",
    ),
    Sheet("二  从问题到回答")
    .section(
        "2.1  一轮一轮地读",
        "智能体拿到的不是全文，而是工具：列出文档、查看目录、搜索页面、阅读若干页、把一页当作图片来看。它在预算之内一轮一轮地工作，每个回答上方都能看到它做过什么。",
    )
    .section(
        "2.2  引文要核对",
        "每句结论后面都有标记，写明文档和页码。回答完成之前，引文会在那一页上逐字查找。找到了，引用显示为“已核实”，点击即可标出原文所在的行；找不到就如实说明，不装作确定。",
    )
    .section(
        "2.3  没有模型时",
        "没有设置模型或模型连不上时，由离线阅读器回答：找出与问题相关的页面并引用原文。不编造，也没有任何内容离开本机。",
    ),
    Sheet("三  页面的种类")
    .text("每一页先看清是什么，再决定怎样读：")
    .table(
        [
            ("种类", "怎样认出", "怎样读"),
            ("文字", "成行的文字", "按栏的次序读文字"),
            ("表格", "成行成列的单元格", "读文字，一行对应一行"),
            ("公式", "数学字体与符号", "读文字；能看图的模型再看图片"),
            ("图片", "大幅的图", "看图片，旁边附文字"),
            ("扫描", "整页是图，没有文字", "读 OCR 识别的文字"),
            ("乱码", "字母位置上是代码", "读 OCR 识别的文字"),
        ]
    )
    .text("种类以不显眼的标记写在页面旁边，并附理由。若有疑问，原页就在文字旁边，可以对照着看。"),
    Sheet("四  记忆怎样给词加权")
    .text(
        "你说过的关于自己、关于如何回答的话，按关键词记住。不需要向量，每一条都能看到是被哪些词找到的。关键词 k 的权重是"
    )
    .formula(*WEIGHT)
    .text(
        "其中 N 是记住的条数（至少按 200 计），带下标 k 的 n 是含有该关键词的条数。",
        "记住 400 条时：",
    )
    .table(weights("含有的条数", "比例", "权重"))
    .text("只有两条含有的词所说明的，是每两条就有一条含有的词的七倍。"),
    Sheet("五  哪些内容留在本机")
    .text(
        "文件、页面文字、目录树、对话和记忆都在本机的一个文件夹里，可以整体备份和恢复。",
        "交给所设模型的只有回答问题所需的内容：问题、为它读过的页面，以及相关的记忆。若模型就在本机运行，则没有任何内容离开。",
        "密钥只写入一次，此后不再显示。文档不能下命令：页面上的话是可引用的文字，不是要执行的指示。",
    )
    .section(
        "5.1  记忆由你做主",
        "“记忆”页列出记住的一切，以及是在哪里说的、最近何时用过。每一条都可以修改、固定、停用或彻底删除。停用就是停用：不再查找。",
    ),
]


if __name__ == "__main__":
    make(
        "en.pdf",
        "How DocMind reads",
        "A tour in six pages, and a document to try things on",
        ENGLISH,
    )
    make("zh.pdf", "DocMind 怎样读书", "六页的导览，也是一份可以试用的文档", CHINESE)
