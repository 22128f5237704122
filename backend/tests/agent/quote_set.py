"""One hundred written quotes against seven pages, each with the verdict that a careful reader would give.

(kind, cited page, quote, status, page of the verdict). The pages hold what PDFs really give: words split at line ends, ligatures,
soft hyphens, full-width signs, radicals, rows of tables.
"""

PAGES = [
    # 1 prose with line-end hyphens
    "Net cash used in investing activities was $1,577 million in 2018, com-\npared with $1,373 million in 2017. The increase reflects manu-\n"
    "facturing capacity added in Asia. Management does not expect a mate-\nrial change in 2019, although currency move-\nments could "
    "raise or lower re-\nported spending. State-of-the-art equipment was bought for the Singa-\npore plant.",
    # 2 ligatures and soft hyphens
    "The e\ufb03cient \ufb02ow of information signi\ufb01cantly a\ufb00ects o\ufb03ce work. Our \ufb01ndings con\ufb01rm that di\ufb00erent "
    "work\u00adflows bene\ufb01t from \ufb01ner units. The coe\ufb03cient of determi\u00adnation was 0.87, and the e\ufb00ect "
    "vanished when \ufb01rms had fewer than ten em\u00adployees.",
    # 3 Chinese
    "本公司二〇一八年营业收入为人民币 1,234 万元，同比增长 12.5%。研发费用为 345 万元，占营业收入的 27.9%。\n"
    "管理层认为，公司不存在重大流动性风险。\n报告期内，公司未发生重大诉讼。前五名客户的销售额占全年销售总额的 41.2%，"
    "较上年下降 3.1 个百分点。",
    # 4 Chinese with radicals and full-width signs
    "⽂档的⽬录由作者⾃⼰编写，读者可以据此找到所需的⻚⾯。\n系统⽀持ＰＤＦ与ＥＰＵＢ两种格式，最⼤⽂件为２００ＭＢ。\n"
    "第⼀章介绍⽅法，第⼆章讨论结果；⻓⽂档需要更多时间。",
    # 5 a table
    "Selected data (in millions)      2018      2017      2016\nNet sales      32,765      31,657      30,109\n"
    "Operating income      7,207      7,692      7,027\nInterest expense      350      322      199\n"
    "Effective tax rate      23.4%      35.5%      28.3%\nDividends paid      (3,193)      (2,803)      (2,678)",
    # 6 science
    "Layer normalization (Ba et al., 2016) re-centers and re-scales the summed inputs of a neuron. RMSNorm keeps only the "
    "re-scaling invariance and drops the mean statistic. We find that re-centering is not necessary for success. In our "
    "experiments RMSNorm reduced the running time by 7% to 64% on different models. M\u00a8uller and Na\u00efve Bayes served as baselines.",
    # 7 law
    "The Supplier shall deliver the Goods within thirty (30) days. The Buyer may terminate this Agreement if the Supplier "
    "fails to remedy a breach within fifteen (15) days after written notice. Neither party is liable for indirect or "
    "consequential damages, except in cases of gross negligence. This Agreement is governed by the laws of Ireland.",
]

QUOTES = [
    # --- exact
    ("exact", 1, "Net cash used in investing activities was $1,577 million in 2018", "verified", 1),
    ("exact", 1, "The increase reflects", "verified", 1),
    ("exact", 1, "does not expect", "verified", 1),
    ("exact", 2, "The coefficient of", "verified", 2),
    ("exact", 5, "Net sales 32,765 31,657 30,109", "verified", 5),
    ("exact", 5, "Operating income 7,207", "verified", 5),
    ("exact", 5, "Dividends paid (3,193)", "verified", 5),
    ("exact", 5, "Effective tax rate 23.4% 35.5% 28.3%", "verified", 5),
    ("exact", 6, "RMSNorm keeps only the re-scaling invariance", "verified", 6),
    ("exact", 6, "reduced the running time by 7% to 64%", "verified", 6),
    ("exact", 6, "re-centering is not necessary for success.", "verified", 6),
    ("exact", 6, "LAYER NORMALIZATION (BA ET AL., 2016)", "verified", 6),
    ("exact", 7, "within thirty (30) days", "verified", 7),
    ("exact", 7, "governed by the laws of Ireland", "verified", 7),
    ("exact", 7, "Neither party is liable for indirect or consequential damages", "verified", 7),
    ("exact", 7, "The Buyer may terminate this Agreement ... within fifteen (15) days", "verified", 7),
    ("exact", 7, "Neither party is liable […] except in cases of gross negligence", "verified", 7),
    ("exact", 6, "drops the   mean\nstatistic", "verified", 6),
    ("exact", 7, "“This Agreement is governed”", "verified", 7),
    ("exact", 5, "Interest expense 350", "verified", 5),
    # --- split at line ends
    ("hyphen", 1, "compared with $1,373 million in 2017", "verified", 1),
    ("hyphen", 1, "manufacturing capacity added in Asia", "verified", 1),
    ("hyphen", 1, "a material change in 2019", "verified", 1),
    ("hyphen", 1, "currency movements could raise or lower reported spending", "verified", 1),
    ("hyphen", 1, "currency move- ments could raise", "verified", 1),
    ("hyphen", 1, "equipment was bought for the Singapore plant", "verified", 1),
    ("hyphen", 1, "State-of-the-art equipment", "verified", 1),
    ("hyphen", 1, "State of the art equipment was bought", "verified", 1),
    ("hyphen", 6, "re‑centers and re‑scales the summed inputs", "verified", 6),
    ("hyphen", 6, "recentering is not necessary for success", "verified", 6),
    ("hyphen", 1, "The increase reflects manufacturing capacity", "verified", 1),
    ("hyphen", 1, "raise or lower re-ported spending", "verified", 1),
    # --- ligatures, soft hyphens, accents
    ("ligature", 2, "The efficient flow of information", "verified", 2),
    ("ligature", 2, "significantly affects office work", "verified", 2),
    ("ligature", 2, "Our findings confirm", "verified", 2),
    ("ligature", 2, "different workflows benefit from finer units", "verified", 2),
    ("ligature", 2, "coefficient of determination was 0.87", "verified", 2),
    ("ligature", 2, "firms had fewer than ten employees", "verified", 2),
    ("ligature", 2, "signi\ufb01cantly a\ufb00ects", "verified", 2),
    ("ligature", 6, "Müller and Naïve Bayes served as baselines", "verified", 6),
    ("ligature", 6, "Nai\u0308ve Bayes", "verified", 6),
    ("ligature", 2, "the effect vanished when firms", "verified", 2),
    # --- Chinese
    ("cjk", 3, "营业收入为人民币1,234万元", "verified", 3),
    ("cjk", 3, "同比增长12.5%", "verified", 3),
    ("cjk", 3, "公司不存在重大流动性风险", "verified", 3),
    ("cjk", 3, "研发费用为345万元，占营业收入的27.9%", "verified", 3),
    ("cjk", 3, "同比增长１２.５％。研发费用", "verified", 3),
    ("cjk", 3, "占全年销售总额的 41.2%，较上年下降", "verified", 3),
    ("cjk", 4, "文档的目录由作者自己编写", "verified", 4),
    ("cjk", 4, "读者可以据此找到所需的页面", "verified", 4),
    ("cjk", 4, "系统支持PDF与EPUB两种格式", "verified", 4),
    ("cjk", 4, "最大文件为200MB", "verified", 4),
    ("cjk", 4, "第二章讨论结果；长文档需要更多时间", "verified", 4),
    ("cjk", 4, "第一章介绍方法", "verified", 4),
    ("cjk", 3, "营业收入", "verified", 3),
    ("cjk", 3, "公司存在重大流动性风险", "unverified", 3),
    ("cjk", 3, "公司发生重大诉讼", "unverified", 3),
    ("cjk", 3, "较上年上升 3.1 个百分点", "unverified", 3),
    # --- small slips of copying
    ("slip", 1, "Net cash used in investing activites was $1,577 million", "verified", 1),
    ("slip", 1, "Managment does not expect a material change", "verified", 1),
    ("slip", 6, "Layer normalisation (Ba et al., 2016) re-centers", "verified", 6),
    ("slip", 6, "RMSNorm keeps only re-scaling invariance and drops the mean statistic", "verified", 6),
    ("slip", 6, "We find re-centering is not necessary for success", "verified", 6),
    ("slip", 7, "The Supplier shall deliver the Goods within the thirty (30) days", "verified", 7),
    ("slip", 7, "fails to remedy the breach within fifteen (15) days", "verified", 7),
    ("slip", 7, "liable for indirect or consequental damages", "verified", 7),
    ("slip", 2, "different workflows benifit from finer units", "verified", 2),
    ("slip", 7, "in cases of gross neglig ence", "verified", 7),
    ("slip", 6, "reduced the runing time by 7% to 64% on different models", "verified", 6),
    ("slip", 3, "前五名客户销售额占全年销售总额的41.2%", "verified", 3),
    # --- slips that change what is said
    ("changed", 1, "Management does expect a material change in 2019", "unverified", 1),
    ("changed", 1, "Net cash used in investing activities was $1,577 billion", "unverified", 1),
    ("changed", 1, "Net cash used in investing activities was $1,578 million in 2018", "unverified", 1),
    ("changed", 6, "reduced the running time by 7% to 46% on different models", "unverified", 6),
    ("changed", 6, "re-centering is now necessary for success", "unverified", 6),
    ("changed", 7, "within fifty (50) days after written notice", "unverified", 7),
    ("changed", 5, "Operating income 7,692 7,207 7,027", "unverified", 5),
    ("changed", 2, "the effect vanished when firms had more than ten employees", "unverified", 2),
    ("changed", 7, "Either party is liable for indirect or consequential damages", "unverified", 7),
    ("changed", 7, "The Supplier may terminate this Agreement if the Buyer fails", "unverified", 7),
    # --- right words, wrong page
    ("moved", 2, "Net cash used in investing activities was $1,577 million in 2018", "moved", 1),
    ("moved", 1, "significantly affects office work", "moved", 2),
    ("moved", 4, "公司不存在重大流动性风险，因此", "unverified", 4),
    ("moved", 4, "管理层认为，公司不存在重大流动性风险", "moved", 3),
    ("moved", 7, "RMSNorm keeps only the re-scaling invariance", "moved", 6),
    ("moved", 6, "The Buyer may terminate this Agreement", "moved", 7),
    ("moved", 6, "Effective tax rate 23.4% 35.5% 28.3%", "moved", 5),
    ("moved", 3, "系统支持PDF与EPUB两种格式，最大文件", "moved", 4),
    ("moved", 5, "different workflows benifit from finer units", "moved", 2),
    ("moved", 9, "This Agreement is governed by the laws of Ireland", "moved", 7),
    # --- invented
    ("invented", 1, "Capital spending is expected to double by 2025", "unverified", 1),
    ("invented", 2, "The sample consisted of 1,204 companies", "unverified", 2),
    ("invented", 3, "公司预计明年收入翻一番", "unverified", 3),
    ("invented", 5, "Net income 5,349 4,858 5,050", "unverified", 5),
    ("invented", 6, "BatchNorm outperforms both methods on every task", "unverified", 6),
    ("invented", 7, "The Supplier shall pay a penalty of ten percent", "unverified", 7),
    ("invented", 4, "本系统由三个模块组成", "unverified", 4),
    ("invented", 1, "The increase reflects higher marketing costs in Europe", "unverified", 1),
    ("invented", 9, "Sales in Antarctica rose sharply", None, None),
    ("invented", 8, "营业外收入大幅增加并创历史新高", None, None),
]
