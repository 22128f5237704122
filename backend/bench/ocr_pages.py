"""Pages for measuring OCR, made here: English and Chinese in several fonts, as 200 dpi scans that are clean, askew or noisy."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pymupdf
from PIL import Image, ImageFilter

DPI = 200
A4 = (595, 842)
_MARGIN = 60
VARIANTS = ("clean", "askew", "noisy")
TURNS = (0, 90, 180, 270)

CHINESE = """\
第三章 卷积神经网络的训练

3.1 训练数据的准备

在开始训练之前，需要先把原始数据分成三个部分：训练集、验证集和测试集。常见的比例是百分之七十、百分之十五和百分之十五，但是如果样本总数超过一百万，验证集和测试集各取一万条就已经足够。划分时要保证三个集合来自同一个分布，同一位用户的记录不能同时出现在两个集合里，否则评估结果会偏高。
图像数据通常还要做增强，例如随机裁剪、水平翻转、调整亮度和对比度。增强的目的不是让图片变得更漂亮，而是让模型看到更多合理的变化，从而减少过拟合的风险。文字识别任务中不能使用水平翻转，因为翻转以后的汉字已经不是原来的汉字。

3.2 学习率与批量大小

学习率是最重要的超参数之一。学习率过大，损失会来回震荡甚至发散；学习率过小，训练需要的时间会成倍增加。实践中常用的办法是先用较小的值预热五百到一千步，然后升到最大值，再按照余弦曲线慢慢下降到零。批量大小从三十二增加到二百五十六时，学习率一般也要随之增大。
2023年的一项实验比较了四种优化器在十二个公开数据集上的表现，结果显示没有任何一种方法在所有任务上都是最好的。作者建议把调参的预算写进论文，否则读者无法判断提升来自方法本身还是来自更多的尝试。

3.3 正则化

常用的正则化方法包括权重衰减、随机失活和提前停止。权重衰减在每一步都让参数稍微靠近零，系数一般取0.0001到0.05。随机失活在训练时按概率丢弃一部分神经元，测试时则全部保留。提前停止最简单：当验证集上的误差连续若干轮不再下降，就停止训练并恢复最好的那一份参数。
"""

ENGLISH = """\
Chapter 4. Keeping records of a small observatory

4.1 What the night log is for

A night log is written for someone who was not there. It records when the dome was opened, what the weather did, which instrument was mounted, and every exposure with its start time in UTC. The observer's opinion belongs in the log as well, provided it is marked as an opinion: "seeing seems worse than the monitor claims" has saved more than one data set from being published too early.
Entries are numbered within the night and never deleted. A wrong entry is struck out with a single line so that it stays legible, and the correction follows with the initials of whoever made it. Between 1987 and 2003 the log was kept in 41 bound volumes; since then it has been a plain text file of about 120 kilobytes a month.

4.2 Calibration frames

Bias, dark and flat frames are taken every night, whether or not the science programme asks for them. Twenty-one bias frames (0 s), eleven darks of 300 s and seven flats in each filter take roughly 95 minutes, most of it in daylight with the dome closed. If the temperature of the detector drifts by more than 0.5 degrees, the darks must be repeated. Quality is judged by the median level and the standard deviation: a flat whose median falls outside the range 18,000-32,000 counts is rejected automatically and the reason is written to the log.

4.3 When something goes wrong

Write first, repair second. The five minutes after a failure decide whether anybody will understand it later. Note the state of the lights, the message on the screen word for word, and the last three commands. Do not restart the computer until the memory of the controller has been saved; it is overwritten at boot. Call the duty engineer (extension 4417) before midnight, or leave a message at night.desk@observatory.example with the subject "FAULT" and the number of the entry.
"""

_ENGLISH_FONTS = ("tiro", "helv", "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf")
_CHINESE_FONTS = (
    "/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "china-s",
)


@dataclass(frozen=True)
class MadePage:
    name: str
    script: str
    variant: str
    turned: int
    truth: str
    picture: Image.Image


def made_pages(variants: tuple[str, ...] = VARIANTS, turns: tuple[int, ...] = (0,)) -> Iterator[MadePage]:
    for script, text, fonts in (("en", ENGLISH, _ENGLISH_FONTS), ("zh", CHINESE, _CHINESE_FONTS)):
        for place, font in enumerate(fonts):
            if font.startswith("/") and not Path(font).exists():
                continue
            clean = _draw(text, font, 10.5 if script == "en" else 11.5)
            for variant in variants:
                for turn in turns:
                    picture = _worn(clean, variant, seed=place)
                    # Turned clockwise, as a page that lay wrong on the scanner.
                    yield MadePage(
                        f"{script}{place}-{variant}-{turn}",
                        script,
                        variant,
                        turn,
                        text,
                        picture.rotate(-turn, expand=True, fillcolor=255),
                    )


def _draw(text: str, font: str, size: float) -> Image.Image:
    with pymupdf.open() as document:
        page = document.new_page(width=A4[0], height=A4[1])
        face = pymupdf.Font(fontfile=font) if font.startswith("/") else pymupdf.Font(font)
        y = float(_MARGIN)
        writer = pymupdf.TextWriter(page.rect)
        for paragraph in text.splitlines():
            y += 0.6 * size if not paragraph else 0
            for line in _wrapped(paragraph, face, size, A4[0] - 2 * _MARGIN):
                y += 1.4 * size
                writer.append((_MARGIN, y), line, font=face, fontsize=size)
        writer.write_text(page)
        pixmap = page.get_pixmap(dpi=DPI, colorspace=pymupdf.csGRAY)
        return Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples)


def _wrapped(paragraph: str, face: pymupdf.Font, size: float, width: float) -> Iterator[str]:
    words = paragraph.split(" ") if paragraph.isascii() else list(paragraph)
    joint = " " if paragraph.isascii() else ""
    line = ""
    for word in words:
        longer = line + joint + word if line else word
        # A Chinese line never begins with a closing sign.
        if face.text_length(longer, size) > width and line and word not in "，。；：、！？”）":
            yield line
            line = word
        else:
            line = longer
    if line:
        yield line


def _worn(picture: Image.Image, variant: str, *, seed: int) -> Image.Image:
    if variant == "askew":
        return picture.rotate(2.0 if seed % 2 else -2.0, resample=Image.Resampling.BICUBIC, fillcolor=255)
    if variant == "noisy":
        noise = np.random.default_rng(seed)
        pixels = np.asarray(picture.filter(ImageFilter.GaussianBlur(0.7)), dtype=np.float32)
        pixels = 0.82 * pixels + 25 + noise.normal(0, 18, pixels.shape)
        specks = noise.random(pixels.shape)
        pixels[specks < 0.001] = 0
        pixels[specks > 0.999] = 255
        return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    return picture


def photographed(picture: Image.Image, *, seed: int = 1) -> Image.Image:
    """As by a phone: perspective, uneven light, a dark table around the page."""
    shade = random.Random(seed)
    width, height = picture.size
    table = Image.new("RGB", (width + 300, height + 300), (70, 60, 50))
    light = np.linspace(1.0, 0.72, width)[None, :] * np.linspace(0.95, 1.0, height)[:, None]
    page = Image.fromarray((np.asarray(picture.convert("L"), dtype=np.float32) * light).astype(np.uint8)).convert("RGB")
    table.paste(page, (150, 150))
    corner = [shade.randint(20, 70) for _ in range(8)]
    right, bottom = table.size
    quad = (
        corner[0],
        corner[1],
        corner[2],
        bottom - corner[3],
        right - corner[4],
        bottom - corner[5],
        right - corner[6],
        corner[7],
    )
    return table.transform(table.size, Image.Transform.QUAD, quad, resample=Image.Resampling.BICUBIC)
