/**
 * What blocks that people took for text have in common: trees of questions, whose answers and `base` add up to log odds.
 * Written by `scripts/train-block-model.ts`; how a line is read: `score-blocks.ts`.
 */
export const base = -0.576

export const trees = `
parentProseShare>0.0441 size>159 grandparentProseBefore>216 -0.143 -0.042 position>0.59 0.165 -0.0397 size>101 linkShare>0.106 0.11 -0.109 position>0.942 0.254 -0.043
parentProse>228 parentLinkShare>0.097 proseAfter>0.296 -0.119 0.0123 parentProse>110 -0.144 -0.0818 isParagraph>1 proseAfter>0.216 -0.0267 0.137 class:comment>2 -0.0164 0.215
inBest>1 stops>3 parentLinkShare>0.068 -0.0826 -0.137 grandparentLinkShare>0.0367 0.139 -0.0247 linkShare>0.38 likeCount>2 0.0351 0.2 stops>2 -0.0939 0.0202
grandparentProse>477 parentMeanSize>177 stepsToTitle>3 0.0176 -0.123 blocksSinceTitle>21 0.124 -0.0222 stops>1 parentLinkShare>0.068 0.0409 -0.0992 line:promotion>1 0.172 0.0129
stepsToBest>1 likeShare>0.034 isDiv>1 0.0332 -0.114 elementLinkShare>0.431 0.171 -0.0393 words>26 isDescription>1 -0.125 0.166 grandparentProseAfter>128 -0.00548 0.116
endsSentence>1 parentProseBefore>106 parentLinkShare>0.097 -0.0691 -0.124 parentProseAfter>171 -0.0442 0.125 afterBest>1 likeLinkShare>0.73 0.157 -0.0738 stops>4 -0.113 0.0347
inBest>1 parentMeanSize>220 endsSentence>1 -0.117 -0.0705 endsSentence>1 -0.0783 0.0837 endsSentence>1 afterIsSibling>1 -0.024 0.109 grandparentProse>108 -0.0204 0.15
bestDepthBelow>0 isDescription>1 parentMeanSize>220 -0.111 0.0435 0.161 linkShare>0.38 parentShare>0.015 -0.0123 0.139 bestDepthBelow>3 -0.0237 -0.0975
stepsToBest>1 linkShare>0.38 likeMeanSize>27.5 -0.0463 0.126 pageSize>3540 0.0636 -0.0857 likeMeanSize>145 isDescription>1 -0.111 0.113 proseAfter>0.296 -0.0725 0.117
bestDepthBelow>0 stops>3 grandparentLinkShare>0.0392 -0.0373 -0.108 bestProseShare>0.567 0.11 -0.0259 likeShare>0.034 parentProseAfter>431 -0.0642 0.0812 line:comment>1 0.126 -0.0918
stepsToBest>1 likeShare>0.034 parentProseShare>0.0178 -0.0719 0.0363 linkShare>0.38 0.123 -0.0493 parentProseShare>0.0178 likeShare>0.762 -0.103 0.05 afterBest>0 0.0752 -0.0809
inBest>1 parentMeanSize>177 parentProseShare>0.0178 -0.102 -0.0426 proseBefore>0.584 0.0975 -0.0553 parentProseShare>0.0178 pageLinkShare>0.178 0.0484 -0.0683 hasDate>1 0.114 -0.0304
stepsToBest>1 elementLinkShare>0.151 parentMeanSize>52.3 0.0135 0.107 elementLinkShare>0.431 0.0203 -0.0686 parentMeanSize>177 class:lead>2 0.0212 -0.0944 proseAfter>0.296 -0.0551 0.0908
parentProse>228 inBest>1 likeMeanSize>75 -0.101 -0.0466 isDiv>1 0.0269 -0.0988 stops>1 beforeIsSibling>1 -0.0588 0.0367 stepsToBest>1 0.111 0.0329
words>16 stepsToBest>1 linkShare>0.106 0.0459 -0.0856 beforeLinkShare>0.0254 -0.0671 -0.106 stepsToBest>3 class:caption>1 -0.0896 0.111 proseAfter>0.296 -0.0821 0.0838
words>13 linkShare>0.106 beforeIsSibling>1 -0.0808 0.0434 shortWords>0.375 -0.104 -0.0359 proseBefore>0.754 linkShare>0.806 0.105 -0.0743 blocksSinceProse>3 0.0529 -0.0832
words>20 bestDepthBelow>0 isDescription>1 -0.0917 0.101 linkShare>0.106 0.0426 -0.0873 afterBest>1 class:content>7 0.11 0.0045 bestProseShare>0.397 0.0351 -0.0882
parentProse>228 grandparentLinkShare>0.08 likeShare>0.0243 -0.06 0.0483 isDescription>1 -0.0954 0.0751 likeShare>0.0596 proseBefore>0.66 0.0171 -0.0918 class:comments>5 -0.0377 0.0979
words>13 grandparentLinkShare>0.0367 beforeIsSibling>1 -0.061 0.0515 parentProseAfter>895 -0.0926 -0.0019 afterBest>1 class:caption>2 -0.096 0.101 likeShare>0.673 -0.078 0.0856
grandparentProse>221 isDescription>1 class:body>7 -0.0356 -0.095 0.117 likeShare>0.034 class:body>7 -0.00307 -0.085 afterBest>1 0.09 -0.0213
size>101 afterLinkShare>0.714 proseAfter>0.216 -0.0836 0.0167 capitals>0.0119 -0.0211 -0.0979 stepsToBest>1 class:picture>1 -0.0746 0.103 proseAfter>0.449 -0.0631 0.0765
parentProse>110 grandparentLinkShare>0.279 isDiv>1 0.00943 -0.1 -0.0934 proseBefore>0.754 hasDate>1 0.0781 -0.0717 likeShare>0.103 -0.0949 0.0214
bestDepthBelow>0 parentLinkShare>0.097 bestProseShare>0.495 0.0646 -0.0362 bestProseShare>0.199 0.0094 -0.0961 likeShare>0.034 repeats>1 0.00166 -0.11 elementLinkShare>0.042 0.0945 0.0162
endsSentence>1 linkShare>0.106 beforeIsSibling>1 -0.0642 0.0463 marks>2 -0.0943 0.0268 line:promotion>1 grandparentShare>0.113 0.0136 0.0923 parentProseAfter>171 -0.123 0.0155
size>126 parentLinkShare>0.407 proseBefore>0.808 0.0242 -0.0822 -0.0902 beforeLinkShare>1 class:caption>2 -0.0838 0.0863 position>0.313 0.0391 -0.0679
linkShare>0.106 likeShare>0.0596 likeShare>0.00577 -0.0807 -0.0000011 parentBlocks>4 0.0213 0.0937 class:body>6 linkShare>0.806 0.0273 -0.0595 marks>2 -0.0965 -0.0254
bestDepthBelow>0 parentLinkShare>0.0359 proseAfter>0.449 -0.0565 0.0692 isDescription>1 -0.0879 0.0715 isDiv>1 class:comment>3 -0.081 0.0697 capitals>0.0667 0.00613 -0.0951
endsSentence>1 class:body>7 position>0.721 0.0275 -0.0666 inTable>1 -0.0847 0.0558 afterBest>1 likeShare>0.0243 -0.0107 0.0882 likeShare>0.673 -0.0675 0.0787
class:body>7 proseAfter>0.17 beforeLinkShare>0.199 0.00601 -0.0826 sinceRelated>47 0.000215 0.0862 grandparentLinkShare>0.0367 beforeIsSibling>1 -0.0293 0.0526 parentShare>0.724 -0.0771 0.00526
words>16 bestProseShare>0.495 pageProse>2960 0.0942 -0.0234 capitals>0.0462 0.0126 -0.0664 bestDepthBelow>0 class:body>7 0.0718 -0.033 bestDepthBelow>5 0.093 -0.00305
size>126 links>1 grandparentProseAfter>281 -0.0403 0.0425 inTable>1 -0.0825 0.0254 beforeLinkShare>0.199 grandparentProse>1070 0.0351 0.0953 class:body>3 0.0503 -0.0552
words>26 elementLinkShare>0.042 likeCount>10 -0.028 0.0657 pageSize>3540 -0.0165 -0.0838 class:footer>9 -0.0443 afterLinkShare>1 0.0835 0.00877
stepsToBest>1 parentProseAfter>171 inTable>1 -0.00735 0.0927 proseBefore>0.901 0.074 -0.0374 proseBefore>0.503 likeLinkShare>0.361 0.0447 -0.0707 grandparentMeanSize>148 -0.0881 -0.019
size>159 elementLinkShare>0.042 size>35 -0.0396 0.033 sinceComment>99 -0.0944 -0.0567 grandparentProse>1070 class:body>7 0.0507 -0.0304 parentProse>228 -0.00205 0.0931
afterLinkShare>0.714 proseBefore>0.808 class:caption>12 -0.117 0.0546 pageLinkShare>0.105 0.0106 -0.0611 capitals>0.0119 blocksSinceTitle>21 0.0393 -0.0112 digits>0.00789 -0.0783 -0.0184
size>159 linkShare>0.106 isDiv>1 0.0213 -0.0789 inMain>1 -0.0831 -0.0151 class:caption>2 -0.0705 blocksSinceTitle>21 0.0857 0.0212
likeShare>0.113 proseAfter>0.449 afterSize>307 -0.0804 0.0131 elementLinkShare>0.042 0.0254 -0.0649 elementLinkShare>0.431 line:promotion>1 0.0678 -0.0822 pageSize>4460 0.0337 -0.0845
afterBest>1 beforeLinkShare>1 line:promotion>1 0.059 -0.0843 commas>1 -0.0749 0.00503 commas>5 proseBefore>0.503 -0.0276 -0.0807 0.00802
proseBefore>0.754 elementLinkShare>0.151 likeShare>0.113 0.00604 0.0723 marks>1 -0.0563 0.022 inBest>1 likeShare>0.673 -0.0866 0.0371 stepsToTitle>5 -0.0395 0.0279
words>13 afterLinkShare>0.258 class:comment>10 -0.0916 -0.00329 bestProseShare>0.567 -0.000455 -0.083 stepsToBest>1 elementLinkShare>0.431 0.0704 -0.0562 isDescription>1 -0.0179 0.0818
shortWords>0.143 bestProseShare>0.495 parentProseShare>0.0441 -0.0148 0.071 capitals>0.0462 0.0206 -0.0755 position>0.68 class:picture>2 -0.0687 0.0634 likeShare>0.256 -0.0626 0.0206
beforeLinkShare>0.199 capitals>0.0909 proseBefore>0.404 0.0769 -0.00233 class:picture>7 -0.0917 -0.0191 class:body>5 proseBefore>0.754 0.0364 -0.0746 grandparentProseAfter>4430 -0.0816 0.0132
isDiv>1 proseBefore>0.503 capitals>0.0909 0.0714 -0.035 sinceRelated>47 -0.0714 -0.000908 capitals>0.0556 bestProseShare>0.495 0.0138 -0.0392 class:sidebar>7 -0.029 -0.0936
parentShare>0.0183 inTable>1 shortWords>0.143 -0.0744 -0.0276 0.0609 line:promotion>1 position>0.721 0.0499 -0.0267 bestProseShare>0.885 -0.108 0.000627
capitals>0.0667 class:comment>8 size>126 -0.0827 -0.0118 afterLinkShare>0.258 0.0566 -0.0215 class:picture>2 afterLinkShare>0.0478 -0.105 -0.0239 afterLinkShare>0.714 0.00165 -0.0554
sinceHeading>50 sinceRelated>47 size>159 -0.0511 0.0255 bestProseShare>0.495 0.102 0.0156 class:body>10 sinceRelated>77 -0.0561 0.0197 -0.0832
words>33 afterLinkShare>0.714 proseBefore>0.503 0.0228 -0.0359 sinceHeading>6 -0.0292 -0.0779 stepsToTitle>8 links>2 0.0795 0.0113 stepsToTitle>14 -0.032 0.0456
class:body>7 sinceRelated>47 size>208 -0.0602 0.0293 class:caption>12 -0.0691 0.0599 bestProseShare>0.397 parentBlocks>4 -0.0365 0.0919 capitals>0.0609 -0.00851 -0.0717
afterBest>1 linkShare>0.106 isDiv>1 0.0575 -0.0542 words>26 -0.0508 0.0323 stops>3 blocksSinceTitle>-91 -0.00908 -0.0799 grandparentMeanSize>148 -0.0488 0.0199
size>159 class:body>10 proseBefore>0.404 0.0384 -0.0228 class:lead>3 0.021 -0.0552 likeShare>0.256 isDiv>1 0.015 -0.0618 afterLinkShare>0.258 0.0837 0.0295
likeCount>2 class:lead>3 position>0.124 -0.000769 0.044 grandparentMeanSize>58.5 -0.0309 -0.0827 proseBefore>0.503 class:navigation>12 -0.0454 0.0739 class:related>5 -0.0817 -0.000547
likeCount>2 proseAfter>0.828 likeMeanSize>442 -0.0729 0.00162 beforeLinkShare>0.636 0.0229 -0.0597 grandparentLinkShare>0.0367 class:popup>9 -0.0407 0.0603 sinceComment>37 -0.0673 0.00512
beforeIsSibling>1 likeShare>0.113 words>16 -0.0633 -0.015 afterLinkShare>0.0478 0.0633 -0.039 line:credit>1 beforeLinkShare>0.0254 0.0543 -0.00473 -0.11
capitals>0.125 class:related>7 afterSize>61 -0.0906 -0.0151 class:comment>8 -0.0663 0.0288 stepsToTitle>6 grandparentMeanSize>100 -0.0315 -0.11 grandparentProseBefore>216 -0.0506 0.0305
sinceRelated>47 words>26 grandparentLinkShare>0.00324 -0.0132 -0.0753 proseAfter>0.449 -0.0406 0.0469 isDiv>1 sinceComment>11 -0.05 0.035 beforeSize>12 0.0123 -0.0651
size>159 sinceRelated>47 parentBlocks>6 -0.0302 -0.0936 class:picture>10 -0.0465 0.00868 parentBlocks>5 sinceShare>66 -0.0528 0.0305 sinceShare>11 0.0121 0.0737
line:promotion>1 class:caption>1 -0.107 grandparentLinkShare>0.401 0.0196 -0.0496 bestProseShare>0.931 grandparentLinkShare>0.00324 -0.0222 -0.126 -0.0142
class:body>10 inArticle>1 beforeLinkShare>0.636 0.0661 -0.00604 parentShare>0.0205 -0.043 0.0171 pageLinkShare>0.156 sinceRelated>99 -0.0512 0.0402 inArticle>1 -0.0631 0.0117
line:promotion>1 beforeIsSibling>1 sinceHeading>8 -0.00528 -0.0511 sinceHeading>30 0.049 -0.0293 stepsToTitle>6 -0.125 parentMeanSize>112 -0.0528 -0.00425
inTable>1 class:picture>1 -0.0968 afterSize>307 -0.012 0.0663 afterSize>84 0.105 0.0206
size>159 proseBefore>0.199 blocksSinceTitle>8 -0.0217 0.0775 sinceShare>21 -0.072 -0.0239 bestDepthBelow>0 class:body>3 0.0579 -0.0275 bestDepthBelow>4 0.071 -0.0125
afterBest>1 class:picture>6 pageProse>1980 0.0415 -0.0564 shortWords>0.143 -0.0191 0.0593 blocksSinceTitle>29 depth>10 -0.0473 0.022 parentProse>2930 -0.0707 0.0126
afterBest>1 class:caption>6 -0.0857 elementLinkShare>0.042 0.0419 -0.0222 class:body>2 0.0218 grandparentLinkShare>0.0392 -0.0309 -0.0839
isDiv>1 class:comment>8 commas>2 -0.0806 -0.0163 capitals>0.125 0.0318 -0.0479 size>101 grandparentMeanSize>29.7 -0.0135 -0.0822 pageProse>8060 -0.0282 0.0346
afterBest>1 class:picture>7 depth>9 0.0265 -0.0599 links>1 0.0478 -0.0178 grandparentMeanSize>127 links>1 -0.0754 -0.0295 sinceShare>66 -0.0549 0.0211
pageLinkShare>0.178 position>0.0648 parentShare>0.0774 -0.038 0.0239 capitals>0.155 0.0588 -0.0329 pageLinkShare>0.31 proseBefore>0.199 0.00737 -0.0749 parentLinkShare>0.879 0.0253 -0.0683
class:body>12 class:picture>10 pageProse>2060 0.0416 -0.0389 line:related>1 0.054 -0.0551 pageLinkShare>0.156 grandparentProse>108 0.079 -0.0106 inMain>1 -0.0633 0.0249
position>0.721 likeShare>0.0176 grandparentMeanSize>75.8 -0.00196 -0.0457 line:related>1 0.0302 -0.0682 likeShare>0.762 parentBlocks>27 -0.0582 -0.00239 0.0244
sinceHeading>8 afterBest>1 bestProseShare>0.495 0.0966 0.0184 parentProseShare>0.138 -0.0558 0.0257 likeCount>10 digits>0.00789 -0.0749 0.000858 pageLinkShare>0.148 0.0483 -0.0307
line:credit>1 likeCount>2 inParagraph>1 -0.0497 0.00817 line:related>1 0.0309 -0.0718 -0.123
likeCount>2 shortWords>0.231 marks>2 -0.0699 0.00926 proseBefore>0.0694 0.0219 -0.0509 class:related>6 proseBefore>0.252 0.0024 -0.0943 class:comment>8 -0.0552 0.0289
class:related>7 proseBefore>0.0206 0.00236 proseBefore>0.93 -0.0987 -0.0178 class:body>10 class:caption>1 -0.0767 0.0319 hasDate>1 -0.0185 -0.0754
size>126 likeMeanSize>222 grandparentLinkShare>0.0367 0.017 -0.0349 -0.112 likeShare>0.256 wordLength>6.73 -0.0459 0.0336 sinceShare>80 0.0134 0.065
line:credit>1 sinceHeading>50 bestProseShare>0.495 0.0683 -0.000691 bestProseShare>0.989 -0.0571 0.00755 -0.128
sinceRelated>31 grandparentLinkShare>0.0176 pageLinkShare>0.281 -0.0302 0.0493 words>20 -0.0859 -0.00796 bestProseShare>0.495 sinceHeading>50 0.0847 -0.0378 inBest>1 -0.0334 0.0192
line:credit>1 likeShare>0.00577 wordLength>10 -0.0549 0.00787 class:picture>9 -0.0269 0.0187 -0.12
sinceHeading>50 line:credit>1 likeShare>0.00577 -0.038 0.0251 -0.1 grandparentProseBefore>216 class:body>3 -0.0043 -0.0705 grandparentProseBefore>2040 0.0301 -0.0314
repeats>1 inMain>1 stops>4 -0.0201 0.0551 class:footer>12 -0.0431 0.0388 bestProseShare>0.885 beforeSize>12 -0.0183 -0.0816 elementLinkShare>0.151 -0.0268 0.0255
class:content>5 size>126 parentProse>110 0.0243 -0.026 sinceShare>66 -0.0113 0.0627 bestProseShare>0.495 parentProse>228 -0.0348 0.054 shortWords>0.4 -0.0846 0.00432
sinceHeading>50 line:promotion>1 class:caption>12 -0.0651 0.0264 grandparentProseAfter>281 -0.0839 -0.00827 stepsToBest>1 likeShare>0.221 -0.0316 0.0172 -0.0656
pageLinkShare>0.178 class:title>2 -0.0513 afterBest>1 0.0542 -0.00315 pageLinkShare>0.31 afterBest>0 0.0203 -0.0617 beforeLinkShare>1 0.0342 -0.0379
line:related>1 class:content>5 hasTime>1 0.0138 -0.0607 pageSize>12500 -0.0577 0.00437 -0.0936
class:body>10 bestProseShare>0.495 pageLinkShare>0.268 0.0082 0.0997 afterLinkShare>0.714 0.0177 -0.0461 afterBest>1 bestProseShare>0.397 0.0392 -0.0223 grandparentLinkShare>0.89 -0.081 0.00388
line:promotion>1 class:comments>12 afterSize>15 -0.0149 -0.0712 line:related>1 0.0178 -0.0796 commas>1 -0.106 -0.0138
proseAfter>0.546 likeShare>0.762 bestDepthBelow>2 -0.042 0.00526 0.0443 shortWords>0.143 blocksSinceTitle>17 -0.0435 0.0317 class:content>7 0.0399 -0.0256
line:promotion>1 likeShare>0.00465 blocksToProse>18 -0.0617 0.0053 sinceHeading>99 0.018 -0.045 grandparentLinkShare>0.0264 0.00116 -0.0972
line:promotion>1 beforeLinkShare>1 bestProseShare>0.495 0.0665 0.00514 inMain>1 -0.0428 0.00632 -0.0869
class:content>6 pageProse>2420 parentProse>1200 0.053 -0.0299 grandparentShare>0.831 -0.0152 0.0452 pageProse>5540 -0.0646 isItem>1 -0.0362 0.0175
line:credit>1 afterBest>1 isDiv>1 0.0276 -0.0356 class:body>3 0.0238 -0.0476 -0.106
likeCount>8 headingLevel>2 blocksToProse>12 -0.0438 0.0204 blocksToProse>2 0.0637 -0.0192 grandparentShare>0.00886 -0.0491 position>0.638 0.0492 -0.00495
line:credit>1 sinceRelated>47 blocksSinceProse>3 -0.0509 -0.00119 class:comments>12 -0.0518 0.0263 -0.0961
grandparentProseBefore>6360 afterSize>225 bestProseShare>0.495 0.029 -0.0225 grandparentProse>1070 0.000893 0.051 grandparentShare>0.831 blocksSinceTitle>37 -0.131 -0.0215 0.00729
inTable>1 sinceHeading>50 afterBest>0 0.0521 -0.0121 inBest>1 -0.0691 0.000862 pageLinkShare>0.148 0.0162 0.0895
sinceComment>53 elementLinkShare>0.042 parentProse>2930 -0.0255 0.05 words>8 -0.0181 -0.0776 repeats>1 pageProse>3860 0.0381 -0.00109 elementLinkShare>0.783 -0.0632 0.0284
class:picture>3 grandparentLinkShare>0.137 afterIsSibling>1 -0.0881 -0.0135 sinceHeading>5 -0.0145 0.0427 sinceHeading>50 class:comment>8 -0.0542 0.0241 bestDepthBelow>0 -0.0578 0.011
beforeIsSibling>1 class:picture>9 beforeLinkShare>0.0254 -0.0818 -0.0206 pageLinkShare>0.192 0.0192 -0.0328 proseAfter>0.17 class:body>4 -0.0527 0.00637 hasTime>1 0.0373 -0.047
line:about>1 sinceHeading>9 isDiv>1 0.0271 -0.0327 digits>0.00789 -0.0366 0.0261 -0.0771
sinceRelated>47 grandparentProseAfter>2270 likeMeanSize>33 -0.00258 -0.0641 grandparentMeanSize>194 0.0356 -0.0196 parentShare>0.0109 class:body>9 -0.00187 -0.0503 sinceComment>99 -0.0175 0.029
line:credit>1 class:related>8 sinceHeading>3 0.007 -0.0807 sinceHeading>50 0.0164 -0.0395 -0.108
likeCount>12 grandparentMeanSize>40 likeCount>7 0.0017 0.0872 pageLinkShare>0.391 -0.0394 0.00929 grandparentShare>0.0259 likeShare>0.404 -0.0479 0.0121 parentProseBefore>5240 0.0628 -0.0337
capitals>0.155 line:about>1 line:related>1 0.0147 -0.0558 -0.0618 pageProse>7350 sinceHeading>3 0.000406 -0.0924 0.0148
class:caption>4 -0.0736 class:related>6 likeCount>3 0.00487 -0.0801 likeCount>2 -0.0263 0.0182
bestProseShare>0.68 position>0.497 likeShare>0.0113 0.00461 0.0725 grandparentShare>0.0325 -0.0474 0.00517 capitals>0.0233 bestProseShare>0.885 -0.0089 0.0585 class:lead>3 0.0405 -0.0295
class:picture>3 parentProse>2930 shortWords>0.0909 -0.00774 -0.063 -0.000273 inMain>1 commas>2 -0.0188 0.0212 class:header>2 -0.0426 0.0486
line:related>1 sinceComment>6 -0.0588 class:about>2 -0.0443 0.0179 -0.0838
afterSize>307 inTable>1 isDescription>1 -0.0188 0.0482 0.0538 class:picture>3 -0.0251 grandparentProse>8310 0.0676 0.00258
sinceComment>53 pageSize>3540 0.0366 wordLength>6.73 -0.0593 -0.00433 beforeSize>455 beforeLinkShare>1 0.0187 -0.0228 size>159 -0.0688 0.00471
bestProseShare>0.68 likeCount>2 pageProse>2420 0.0162 -0.0504 sinceShare>32 -0.0143 0.0702 bestProseShare>0.947 grandparentShare>0.724 -0.0417 0.00921 pageLinkShare>0.178 0.053 -0.0133
line:promotion>1 beforeIsSibling>1 class:picture>12 -0.0514 -0.00268 position>0.721 0.0415 -0.0225 blocksSinceTitle>8 -0.012 -0.0821
likeCount>2 sinceRelated>17 inParagraph>1 -0.012 0.0544 position>0.449 -0.0167 -0.0616 sinceRelated>47 words>20 -0.0449 0.00443 likeLinkShare>0.982 0.0295 -0.0298
isDescription>1 class:comments>12 bestProseShare>0.397 -0.00552 -0.0578 inCaption>1 0.00349 -0.053 0.0514
isDescription>1 class:picture>7 depth>9 0.00561 -0.0555 depth>15 -0.0101 0.0403 0.0576
pageProse>1050 parentMeanSize>30 -0.00014 bestProseShare>0.397 0.0078 0.0846 pageLinkShare>0.178 position>0.0648 -0.0233 0.0388 afterSize>307 -0.03 0.0249
inTable>1 shortWords>0.2 headingLevel>2 -0.0405 0.0293 likeCount>10 -0.00899 0.0348 sinceHeading>50 0.0889 -0.0039
sinceHeading>9 class:content>5 class:content>1 -0.0183 0.0305 proseAfter>0.449 -0.0592 0.00893 pageLinkShare>0.119 sinceHeading>69 0.0413 -0.0223 likeMeanSize>145 -0.0155 -0.0744
class:popup>9 -0.0479 blocksToProse>12 likeCount>12 -0.0174 0.0259 bestProseShare>0.71 0.0751 -0.00808
afterSize>307 line:promotion>1 size>101 -0.0163 0.0179 -0.0675 class:picture>3 -0.0144 likeCount>5 0.0809 0.00811
class:content>6 class:about>2 inMain>1 -0.0594 -0.00159 parentLinkShare>0.0236 0.0335 -0.00746 pageProse>5540 -0.0633 pageProse>8060 0.0162 -0.0368
line:credit>1 class:about>2 parentMeanSize>35.5 -0.00079 -0.0651 repeats>1 0.00773 -0.033 -0.0941
line:credit>1 line:related>1 inMain>1 -0.00647 0.0301 -0.0678 -0.0915
beforeIsSibling>1 sinceShare>21 grandparentShare>0.527 -0.0747 0.00284 class:picture>12 -0.0414 0.00728 isParagraph>1 pageLinkShare>0.523 0.051 -0.0192 words>33 -0.0288 0.0543
pageLinkShare>0.178 likeCount>2 sinceRelated>60 0.0355 -0.0438 sinceRelated>77 -0.00541 0.0676 position>0.497 inMain>1 -0.0139 0.046 grandparentProseBefore>216 -0.0616 -0.0162
afterBest>1 commas>2 parentProse>1200 0.00646 -0.0332 class:content>1 -0.0139 0.0589 grandparentLinkShare>0.279 beforeSize>13 -0.00133 -0.0714 sinceHeading>4 -0.0209 0.0428
beforeLinkShare>0.199 class:content>1 likeShare>0.256 -0.0649 0.0185 class:content>5 0.0269 -0.0246 parentMeanSize>97.7 parentMeanSize>68.3 -0.0114 0.0501 beforeSize>84 -0.0643 -0.00509
commas>2 likeMeanSize>127 likeShare>0.158 -0.0111 0.0461 grandparentLinkShare>0.0176 0.00817 -0.0526 isDiv>1 position>0.721 0.0475 -0.00444 afterSize>48 -0.0373 -0.00512
grandparentMeanSize>194 class:header>2 -0.059 sinceComment>53 -0.019 0.0281 elementLinkShare>0.151 inArticle>1 -0.0467 0.0154 -0.0823
beforeIsSibling>1 grandparentLinkShare>0.19 isDiv>1 0.0141 -0.0358 likeShare>0.00317 -0.00563 -0.0607 likeMeanSize>127 likeShare>0.0176 0.00605 0.0659 size>61 -0.088 0.0194
afterBest>1 isDiv>1 grandparentLinkShare>0.401 0.0314 -0.0274 likeCount>8 -0.0442 0.036 class:body>12 grandparentLinkShare>0.0392 0.051 -0.0268 parentLinkShare>0.253 -0.0733 0.0112
line:promotion>1 sinceHeading>50 class:caption>12 -0.0511 0.0185 parentLinkShare>0.068 -0.00987 -0.0525 parentProse>512 -0.0108 -0.0709
beforeIsSibling>1 class:picture>12 parentShare>0.0774 -0.0691 -0.00163 digits>0.00789 -0.0163 0.0311 line:related>1 proseAfter>0.17 -0.0104 0.0379 -0.0534
position>0.0648 endsSentence>1 words>3 -0.0101 -0.0669 0.00708 likeMeanSize>127 pageSize>7460 0.0379 -0.00696 words>20 -0.0544 0.016
class:content>5 pageSize>7460 sinceShare>21 -0.0306 0.0472 elementLinkShare>0.042 0.00631 -0.0448 inMain>1 likeMeanSize>14.1 -0.00681 -0.0601 0.00475
class:header>2 -0.0565 class:picture>9 size>159 -0.0399 0.0149 parentShare>0.434 0.0209 -0.0201
line:promotion>1 class:about>1 -0.0493 proseBefore>0.199 0.0211 -0.00782 depth>11 -0.0712 -0.00249
afterBest>1 class:picture>2 likeShare>0.103 -0.0476 -0.0000483 likeShare>0.482 0.0212 -0.0193 likeShare>0.404 likeShare>0.0301 0.00259 -0.0591 likeCount>37 0.0557 -0.0315
capitals>0.155 stepsToTitle>5 words>33 -0.0234 0.0305 class:title>4 -0.0477 0.0204 grandparentProse>2530 -0.0596 -0.000298
class:content>5 parentShare>0.00742 endsSentence>1 -0.0509 0.00381 parentProse>110 0.0445 -0.00252 parentBlocks>12 shortWords>0.31 -0.0588 -0.00301 -0.00235
afterSize>307 grandparentMeanSize>239 likeShare>0.0214 -0.0236 0.0123 depth>10 -0.0891 -0.00348 pageSize>10200 0.0663 parentProse>1200 -0.0362 0.0305
grandparentProseBefore>6360 class:sidebar>2 -0.0584 sinceComment>11 -0.0394 0.0129 grandparentLinkShare>0.0264 -0.0955 afterIsSibling>1 -0.0303 0.0289
capitals>0.0508 class:content>5 blocksSinceTitle>8 0.0532 0.0121 blocksSinceTitle>3 -0.0485 -0.0074 isDescription>1 stepsToTitle>4 -0.043 -0.00202 0.0562
grandparentMeanSize>100 grandparentShare>0.00886 proseBefore>0.13 0.00461 -0.0593 sinceHeading>50 0.0442 -0.0201 linkShare>0.38 depth>13 -0.0195 0.0383 parentShare>0.0774 -0.0127 -0.076
line:credit>1 pageLinkShare>0.178 grandparentShare>0.00886 -0.0333 0.0415 pageLinkShare>0.31 -0.0285 0.00685 -0.0795
grandparentMeanSize>100 beforeIsSibling>1 grandparentProseAfter>281 -0.0259 0.0429 class:content>4 0.0542 -0.0129 pageProse>1050 0.0467 commas>3 -0.0307 0.0192
capitals>0.155 line:related>1 sinceComment>99 -0.0207 0.0163 -0.0674 position>0.543 -0.0726 -0.00293
line:credit>1 class:header>2 -0.063 grandparentMeanSize>194 0.0141 -0.0236 -0.0739
line:promotion>1 hasTime>1 stepsToBest>8 0.0103 -0.0384 -0.0531 pageLinkShare>0.192 -0.00706 -0.0727
pageLinkShare>0.178 pageProse>10200 parentProseShare>0.781 0.0617 -0.023 likeMeanSize>267 -0.0294 0.0483 pageProse>7350 digits>0.00789 -0.0217 0.0253 afterBest>0 0.00459 -0.0634
line:credit>1 class:form>3 likeCount>10 -0.0488 0.00832 class:content>5 0.0153 -0.0254 -0.0749
pageProse>1050 class:body>11 sinceShare>99 0.0166 0.0779 -0.0343 pageLinkShare>0.178 stepsToTitle>8 0.0302 -0.0249 class:form>11 -0.0487 -0.00938
afterSize>307 depth>20 class:about>2 -0.0477 -0.00547 0.0546 likeShare>0.0494 stops>1 0.0598 0.0148 proseAfter>0.615 -0.0369 0.0277
`
