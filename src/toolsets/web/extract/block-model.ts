/**
 * What blocks that people took for text have in common: trees of questions, whose answers and `base` add up to log odds.
 * Written by `scripts/train-block-model.ts`; how a line is read: `score-blocks.ts`.
 */
export const base = -0.567

export const trees = `
inBest>1 words>33 isDescription>1 -0.117 0.127 position>0.591 0.159 -0.0272 parentProseShare>0.0179 parentLinkShare>0.068 0.0786 -0.0799 words>13 0.112 0.213
parentProseShare>0.0446 parentLinkShare>0.0968 afterBest>1 0.0532 -0.112 grandparentProseAfter>7070 -0.116 -0.0196 afterBest>1 elementLinkShare>0.442 0.176 -0.0336 grandparentMeanSize>149 -0.0956 0.0258
stepsToBest>1 words>13 parentShare>0.0285 -0.0586 0.0815 class:picture>1 0.00089 0.168 words>26 grandparentProseAfter>280 -0.109 -0.0583 proseBefore>0.585 0.124 -0.0576
grandparentProse>222 isDescription>1 likeShare>0.762 -0.104 0.0549 0.113 likeShare>0.0354 parentProseAfter>428 -0.0794 0.0205 hasTime>1 0.142 -0.0623
parentProse>228 parentProse>111 grandparentProseAfter>1560 -0.0992 -0.00744 blocksSinceTitle>10 0.0391 -0.0444 elementLinkShare>0.442 likeMeanSize>40.5 -0.00651 0.13 pageSize>3970 -0.00626 -0.0908
parentProseShare>0.0446 parentLinkShare>0.0968 afterBest>1 0.0482 -0.0972 isRow>1 -0.102 0.00216 afterBest>1 likeShare>0.0305 0.0213 0.131 likeShare>0.256 -0.0953 0.0628
stepsToBest>1 words>13 afterLinkShare>0.267 0.0545 -0.0659 class:caption>1 -0.0416 0.129 words>20 isDescription>1 -0.0968 0.0563 parentLinkShare>0.0968 0.0718 -0.0567
stops>1 parentProseAfter>171 inTable>1 -0.0922 -0.00481 linkShare>0.108 0.0526 -0.0739 grandparentShare>0.0664 pageSize>21400 -0.0445 0.0626 linkShare>0.381 0.111 -0.0559
parentProse>228 grandparentLinkShare>0.19 endsSentence>1 -0.062 0.026 stops>3 -0.0957 -0.00947 likeCount>2 likeMeanSize>145 -0.0772 0.064 words>16 0.0536 0.115
inBest>1 size>160 isDescription>1 -0.0905 0.0853 grandparentLinkShare>0.0392 0.0782 -0.0259 linkShare>0.381 size>42 0.0274 0.111 pageSize>3540 0.0426 -0.0765
inBest>1 size>160 class:lead>3 -0.0115 -0.0872 beforeLinkShare>1 0.0565 -0.0649 size>101 afterIsSibling>1 -0.0374 0.0743 class:caption>1 -0.0401 0.112
stepsToBest>1 likeShare>0.0354 isDiv>1 0.0238 -0.0927 digits>0.161 0.101 -0.033 stops>3 parentLinkShare>0.068 -0.0411 -0.0894 bestProseShare>0.567 0.0759 -0.0113
words>20 class:body>7 afterLinkShare>0.267 0.0433 -0.0662 grandparentLinkShare>0.0363 -0.0332 -0.0887 grandparentLinkShare>0.564 position>0.723 0.099 0.042 position>0.354 -0.0135 -0.0709
inBest>1 likeMeanSize>224 isDescription>1 -0.0816 0.0916 afterLinkShare>0.267 0.0716 -0.0292 endsSentence>1 parentBlocks>7 -0.0317 0.056 likeCount>4 0.0538 0.101
inBest>1 size>126 class:lead>3 -0.0131 -0.0823 proseAfter>0.294 -0.0544 0.0692 elementLinkShare>0.153 likeCount>2 -0.0149 0.0961 words>26 -0.0676 0.0705
bestDepthBelow>0 likeMeanSize>145 isDescription>1 -0.0776 0.0744 position>0.64 0.0752 -0.0503 size>126 pageLinkShare>0.178 0.0716 -0.0135 likeShare>0.0354 0.0204 0.0994
stepsToBest>1 linkShare>0.381 likeShare>0.0354 0.00176 0.0899 pageProse>1050 0.0135 -0.0748 likeMeanSize>145 grandparentProseAfter>280 -0.0799 -0.0296 afterBest>0 0.0878 -0.0423
stepsToBest>1 parentShare>0.0151 pageLinkShare>0.178 0.0443 -0.0659 hasDate>1 0.0798 -0.0234 likeMeanSize>75 inTable>1 -0.0804 0.0134 proseBefore>0.754 0.0526 -0.0767
bestDepthBelow>0 parentLinkShare>0.068 afterBest>0 0.0491 -0.0588 endsSentence>1 -0.0835 -0.0423 size>101 afterIsSibling>1 -0.0517 0.0504 line:promotion>1 0.091 -0.0292
inBest>1 isParagraph>1 afterSize>309 -0.0742 0.03 position>0.544 0.0577 -0.0589 linkShare>0.381 hasTime>1 0.0772 -0.054 stops>2 -0.0664 0.000146
stepsToBest>1 linkShare>0.381 class:caption>1 -0.0907 0.0727 digits>0.008 -0.0761 -0.0195 parentLinkShare>0.068 words>10 -0.0524 0.0371 class:body>2 -0.00547 -0.0817
stepsToBest>1 size>101 class:body>7 0.0269 -0.0573 class:caption>1 -0.0448 0.0857 parentLinkShare>0.0968 position>0.591 0.0336 -0.0597 class:body>2 -0.0205 -0.0793
grandparentProse>222 parentLinkShare>0.141 proseAfter>0.448 -0.0631 0.023 stepsToTitle>3 -0.000533 -0.078 linkShare>0.108 class:picture>1 -0.0853 0.0651 endsSentence>1 -0.0693 0.0219
parentProseShare>0.0446 parentLinkShare>0.141 size>101 -0.0391 0.0335 stepsToTitle>2 0.016 -0.0764 endsSentence>1 elementLinkShare>0.0433 0.0285 -0.0505 elementLinkShare>0.442 0.0765 -0.0316
size>101 afterLinkShare>0.267 proseAfter>0.216 -0.0632 0.0148 inParagraph>1 -0.0784 -0.0338 grandparentProse>478 proseAfter>0.363 -0.0538 0.044 likeCount>2 0.0171 0.08
words>16 bestDepthBelow>1 afterSize>457 -0.0671 0.0488 likeShare>0.00588 -0.0706 0.0187 afterBest>1 likeShare>0.114 0.0377 0.084 likeShare>0.673 -0.0651 0.0657
endsSentence>1 grandparentLinkShare>0.0363 beforeIsSibling>1 -0.0477 0.063 bestDepthBelow>0 -0.0732 -0.0322 position>0.758 elementLinkShare>0.442 0.0714 -0.0387 likeCount>13 -0.0516 0.0461
parentProse>228 afterLinkShare>0.722 proseBefore>0.505 0.0191 -0.0536 capitals>0.0119 0.00126 -0.0732 proseBefore>0.808 endsSentence>1 0.0289 0.0757 capitals>0.0609 0.0113 -0.0605
size>101 linkShare>0.108 likeCount>2 -0.0653 0.0278 shortWords>0.375 -0.0748 -0.0233 afterBest>1 class:picture>1 -0.0642 0.0758 bestProseShare>0.397 0.0193 -0.0668
bestDepthBelow>0 bestProseShare>0.491 afterBest>0 0.0727 -0.0294 parentMeanSize>221 -0.0683 0.00395 stops>1 pageLinkShare>0.178 0.0428 -0.029 class:caption>1 -0.075 0.0677
parentProse>228 parentLinkShare>0.0968 afterBest>1 0.031 -0.0649 isDescription>1 -0.0687 0.0606 afterBest>1 line:credit>1 0.0564 -0.101 parentMeanSize>177 -0.0625 0.00814
words>13 class:body>10 beforeIsSibling>1 -0.0375 0.0277 inTable>1 -0.0691 0.00119 afterBest>1 words>26 0.0303 0.0741 parentProseBefore>109 -0.0562 0.0344
parentProseShare>0.0179 words>13 capitals>0.0462 -0.0185 -0.0663 elementLinkShare>0.0433 0.0392 -0.0496 likeCount>2 class:lead>4 0.0541 -0.0526 elementLinkShare>0.153 0.0609 -0.0302
linkShare>0.381 likeShare>0.114 proseBefore>0.505 0.0175 -0.0602 proseBefore>0.754 0.0726 0.0073 pageProse>1050 class:body>4 0.0611 -0.0482 depth>21 -0.0753 0.00327
linkShare>0.806 likeShare>0.0246 parentMeanSize>221 -0.0423 0.0383 class:body>7 0.0664 0.0104 shortWords>0.5 -0.0716 -0.0162
elementLinkShare>0.153 proseBefore>0.754 class:caption>3 -0.068 0.0554 inBest>1 -0.0619 0.0077 words>26 pageProse>480 0.0256 -0.0665 inBest>1 -0.0462 0.0423
parentProseAfter>171 linkShare>0.806 proseBefore>0.505 0.0252 -0.0384 grandparentProseAfter>280 -0.0711 0.0108 linkShare>0.381 proseBefore>0.902 0.0604 -0.0376 bestProseShare>0.931 -0.0591 0.00372
size>126 linkShare>0.108 afterBest>1 0.016 -0.065 marks>2 -0.0678 0.00145 afterBest>1 class:caption>1 -0.0521 0.0731 class:body>3 0.0433 -0.0558
afterLinkShare>0.722 capitals>0.0667 class:comments>12 -0.0556 0.0524 sinceRelated>48 -0.0569 0.00263 stepsToBest>1 capitals>0.0667 0.0389 -0.0413 capitals>0.0175 -0.0233 -0.0668
beforeLinkShare>1 isDiv>1 proseAfter>0.216 -0.00891 0.0546 shortWords>0.231 -0.0658 -0.00648 stepsToBest>1 stops>2 -0.0423 0.0431 pageProse>17500 -0.0708 -0.0247
size>160 elementLinkShare>0.0433 beforeIsSibling>1 -0.0322 0.0418 inTable>1 -0.0638 0.0309 parentProse>522 beforeLinkShare>0.636 0.032 -0.0526 class:hidden>5 0.00037 0.0732
likeShare>0.158 isDiv>1 grandparentShare>0.086 -0.0343 0.0188 bestProseShare>0.66 -0.0351 -0.0816 isItem>1 words>26 0.0266 0.0746 sinceHeading>38 0.0173 -0.0538
class:body>7 line:promotion>1 likeShare>0.0217 -0.0136 0.0555 -0.11 likeShare>0.256 class:lead>4 0.024 -0.0536 likeLinkShare>0.0369 0.0545 -0.0305
likeShare>0.114 position>0.683 beforeLinkShare>0.636 0.0105 -0.056 class:forum>8 -0.00173 -0.0653 elementLinkShare>0.153 class:comments>5 -0.0376 0.0642 likeCount>11 0.0196 -0.0567
afterBest>1 capitals>0.0847 elementLinkShare>0.0433 0.0602 -0.0159 sinceHeading>14 -0.00456 -0.0666 grandparentMeanSize>149 class:hidden>3 -0.00576 -0.0661 position>0.64 0.0383 -0.0204
size>126 parentShare>0.0151 shortWords>0.4 -0.059 -0.00708 sinceRelated>48 -0.0641 0.0158 likeCount>2 position>0.683 0.00406 -0.0603 inFooter>1 0.0584 -0.0573
endsSentence>1 grandparentLinkShare>0.0261 isDiv>1 0.0366 -0.0626 shortWords>0.45 -0.0508 0.0167 afterBest>1 line:promotion>1 0.0591 -0.101 pageLinkShare>0.123 0.0374 -0.0546
parentProseAfter>171 capitals>0.0909 links>1 0.0103 -0.0373 pageProse>1050 0.0016 -0.0569 stepsToTitle>1 -0.0639 links>1 0.0508 0.00236
class:body>7 class:related>10 size>160 -0.077 0.0086 class:caption>3 -0.0527 0.0421 size>42 parentProseAfter>1550 -0.0636 0.0266 elementLinkShare>0.0433 0.01 -0.0511
size>160 class:body>10 proseBefore>0.505 0.0334 -0.0274 beforeIsSibling>1 -0.0637 -0.0198 stepsToBest>1 capitals>0.0781 0.0707 0.0148 class:body>4 0.0438 -0.0344
class:body>7 afterLinkShare>0.722 isDiv>1 0.0487 -0.0235 capitals>0.04 0.0203 -0.0449 parentLinkShare>0.0233 capitals>0.0909 0.0162 -0.0485 stepsToBest>2 -0.0145 -0.0618
linkShare>0.108 likeShare>0.114 proseBefore>0.505 0.0101 -0.0508 capitals>0.125 0.0562 -0.0222 shortWords>0.4 words>26 -0.058 -0.00178 proseBefore>0.754 0.0568 -0.0422
likeShare>0.0217 parentProseBefore>376 isDescription>1 -0.0458 0.033 likeCount>2 -0.0412 0.0514 linkShare>0.806 class:comment>8 -0.0562 0.0384 likeShare>0.0305 0.0276 -0.0497
linkShare>0.108 likeShare>0.13 isDiv>1 0.00942 -0.0657 class:comments>5 -0.0313 0.0585 shortWords>0.375 afterSize>226 -0.0566 -0.000726 parentBlocks>9 0.0515 -0.0496
capitals>0.0667 position>0.498 sinceHeading>38 0.0586 -0.0212 likeCount>11 -0.0372 0.027 inTable>1 isDescription>1 -0.043 0.0396 0.0593
beforeLinkShare>1 class:caption>3 likeCount>10 -0.0954 -0.00452 position>0.683 0.0405 -0.0249 inBest>1 marks>2 -0.0656 0.0127 likeCount>7 -0.0392 0.0289
proseBefore>0.754 sinceHeading>38 isDiv>1 0.0478 -0.0198 inBest>1 -0.0624 0.0309 depth>13 bestProseShare>0.908 -0.0713 -0.00916 bestProseShare>0.68 0.0453 -0.0242
beforeLinkShare>1 position>0.683 isDiv>1 0.0402 -0.025 words>26 -0.0435 0.0133 stepsToBest>1 bestProseShare>0.869 -0.0472 0.0203 bestProseShare>0.567 -0.0166 -0.0633
beforeLinkShare>1 proseBefore>0.808 capitals>0.0847 0.0406 -0.0198 pageLinkShare>0.154 0.00481 -0.049 pageLinkShare>0.192 pageLinkShare>0.118 -0.0417 0.0218 class:body>5 -0.0163 -0.0707
beforeIsSibling>1 isDescription>1 class:picture>9 -0.0707 -0.018 0.0647 position>0.758 class:comments>12 -0.0334 0.0422 inMain>1 -0.0417 0.0273
afterBest>1 line:promotion>1 capitals>0.0847 0.0366 -0.0231 -0.0994 bestProseShare>0.491 words>20 -0.0406 0.0231 parentProseBefore>799 -0.0699 -0.000362
beforeLinkShare>0.205 words>26 afterBest>0 0.0475 -0.0194 bestDepthBelow>0 0.0131 0.0626 isDescription>1 parentProseAfter>2420 -0.0507 0.00705 0.0485
likeCount>2 isDescription>1 capitals>0.0507 -0.00593 -0.0575 0.0471 likeLinkShare>0.868 repeats>1 0.0256 -0.0328 class:about>11 -0.0122 -0.0477
afterBest>1 shortWords>0.143 parentBlocks>27 -0.0432 0.0393 line:promotion>1 0.0349 -0.0766 beforeSize>227 beforeSize>10 -0.00386 -0.0603 blocksToProse>4 0.033 -0.0135
beforeIsSibling>1 blocksToProse>2 shortWords>0.2 -0.0397 0.0314 parentProseAfter>3570 -0.0378 0.0193 parentLinkShare>0.0115 parentProseBefore>1380 0.0612 -0.00361 parentProseAfter>171 -0.019 0.0371
bestProseShare>0.491 pageProse>3470 shortWords>0.0909 0.0207 0.123 grandparentLinkShare>0.0392 0.0384 -0.0357 stepsToBest>1 size>160 -0.0145 0.0554 pageProse>1050 0.0151 -0.0499
line:promotion>1 likeCount>2 isDescription>1 -0.0368 0.0459 sinceRelated>48 -0.0279 0.0408 -0.0939
pageLinkShare>0.178 likeCount>2 sinceHeading>2 0.00904 -0.0497 grandparentShare>0.0239 -0.0127 0.0619 sinceComment>99 parentProseShare>0.781 -0.0702 0.00801 bestProseShare>0.567 0.0514 -0.0122
class:caption>3 afterLinkShare>0.05 -0.0834 -0.00626 proseBefore>0.505 elementLinkShare>0.0433 0.0465 -0.0151 bestDepthBelow>1 -0.0394 0.00683
class:caption>4 shortWords>0.333 -0.0741 -0.0127 grandparentLinkShare>0.0363 elementLinkShare>0.153 0.039 -0.0602 afterBest>1 0.00224 -0.0519
isDiv>1 afterBest>1 pageLinkShare>0.178 0.052 0.00314 likeMeanSize>268 -0.0575 0.0349 grandparentLinkShare>0.564 likeMeanSize>75 -0.07 -0.0209 0.0000434
class:content>5 class:related>7 afterSize>105 -0.0689 0.0118 likeCount>2 -0.0183 0.0282 likeCount>8 -0.0625 grandparentLinkShare>0.107 0.0268 -0.0472
line:credit>1 bestProseShare>0.491 likeLinkShare>0.73 0.0563 -0.028 shortWords>0.2 -0.0303 0.0118 -0.104
likeCount>8 afterSize>309 proseBefore>0.505 -0.0115 -0.0464 likeMeanSize>60 0.0567 0.00552 elementLinkShare>0.153 class:comment>8 -0.0289 0.0468 likeCount>26 0.0216 -0.058
class:body>10 class:picture>10 size>126 -0.0376 0.00924 proseBefore>0.902 0.0461 -0.0285 size>101 afterBest>0 -0.0116 -0.0571 afterBest>1 0.03 -0.0384
sinceHeading>9 position>0.723 linkShare>0.108 0.0318 -0.0176 bestDepthBelow>1 -0.0486 0.0119 grandparentLinkShare>0.0363 position>0.107 -0.043 0.0112 words>26 -0.054 -0.00614
bestProseShare>0.491 sinceComment>37 pageLinkShare>0.239 0.023 -0.0708 class:popup>12 -0.0313 0.0754 class:body>5 line:related>1 0.0212 -0.0707 pageLinkShare>0.154 0.00608 -0.0396
sinceHeading>50 proseBefore>0.505 parentBlocks>4 0.00686 0.0471 likeCount>20 -0.0282 0.0245 bestDepthBelow>0 grandparentMeanSize>129 -0.0629 -0.0179 likeCount>119 -0.0238 0.0385
class:caption>3 likeCount>7 -0.0793 -0.00926 shortWords>0.143 likeMeanSize>145 -0.00931 -0.0614 afterBest>1 0.0303 -0.0212
line:promotion>1 repeats>1 afterBest>1 0.0255 -0.0228 wordLength>4.6 0.00987 -0.0455 depth>12 -0.0978 -0.0165
line:promotion>1 sinceHeading>50 proseBefore>0.505 0.0296 -0.00574 grandparentProseBefore>227 -0.0506 0.0151 grandparentLinkShare>0.137 -0.082 -0.0152
sinceRelated>48 proseBefore>0.202 beforeIsSibling>1 -0.034 0.049 stops>4 -0.0714 0.0192 class:content>6 class:comment>8 -0.048 0.0276 pageLinkShare>0.154 0.00831 -0.06
capitals>0.125 sinceComment>37 afterIsSibling>1 -0.0536 0.00865 beforeIsSibling>1 0.00165 0.0404 grandparentProse>8310 afterSize>309 -0.0546 0.00903 0.00982
line:credit>1 sinceRelated>48 proseBefore>0.338 0.0127 -0.0522 parentShare>0.0285 -0.0106 0.034 -0.0964
bestProseShare>0.491 pageProse>3470 grandparentLinkShare>0.278 0.0875 -0.00204 class:about>8 -0.0531 0.022 isDescription>1 class:related>7 -0.0574 -0.00771 bestProseShare>0.82 0.011 0.0534
pageLinkShare>0.178 likeCount>2 grandparentShare>0.0159 0.0115 -0.0501 grandparentShare>0.0124 -0.0298 0.0581 pageProse>2550 sinceRelated>17 -0.0425 0.0313 parentProseAfter>428 -0.0483 0.00226
sinceRelated>48 blocksSinceProse>3 position>0.275 0.00578 -0.0645 parentShare>0.0096 0.0305 -0.0212 isDiv>1 class:comments>12 -0.045 0.0306 afterBest>1 -0.0487 0.00576
line:promotion>1 likeShare>0.00588 parentProseBefore>799 -0.0491 0.0126 class:content>5 0.018 -0.0331 depth>12 -0.0921 -0.0131
likeCount>2 words>13 isItem>1 -0.0563 0.00132 sinceComment>53 -0.0464 0.0102 sinceRelated>99 proseAfter>0.615 -0.0364 0.0239 class:comment>8 -0.0479 0.0362
line:promotion>1 line:related>1 class:body>11 0.0262 -0.0138 -0.0659 -0.0889
line:credit>1 line:promotion>1 inMain>1 -0.00621 0.0362 pageLinkShare>0.301 -0.0795 -0.0131 -0.0941
line:promotion>1 beforeLinkShare>1 line:credit>1 0.0186 -0.0728 proseBefore>1 -0.0368 0.02 -0.0825
class:caption>3 beforeLinkShare>0.0276 -0.0691 -0.0123 inMain>1 beforeLinkShare>1 0.00444 -0.0407 proseBefore>0.505 0.0584 -0.00278
class:picture>11 parentProseAfter>428 marks>2 -0.052 0.00407 pageSize>8750 -0.023 0.0355 stepsToBest>5 stops>2 0.000734 0.0457 pageSize>5100 0.0149 -0.0449
pageLinkShare>0.178 likeCount>11 isItem>1 -0.0183 0.0539 blocksToProse>30 0.0563 -0.0148 isDescription>1 pageLinkShare>0.31 -0.0395 -0.00503 0.0468
class:content>5 likeShare>0.00588 pageSize>6720 0.00545 -0.051 bestProseShare>0.709 0.0385 -0.00401 bestProseShare>0.397 proseAfter>0.448 -0.019 0.0317 likeShare>0.114 -0.0733 -0.0167
line:related>1 sinceComment>44 parentProseAfter>428 -0.0447 0.0168 isDiv>1 0.0195 -0.0315 -0.0732
class:caption>3 likeLinkShare>0.00336 beforeSize>17 -0.0164 -0.0802 -0.0127 words>16 grandparentMeanSize>101 0.00942 -0.034 line:promotion>1 0.033 -0.0403
line:credit>1 class:content>5 class:picture>12 -0.0233 0.015 blocksSinceTitle>48 -0.0508 -0.00188 -0.0927
beforeIsSibling>1 isParagraph>1 likeCount>8 -0.0461 0.000123 afterBest>1 0.0355 -0.0152 likeMeanSize>128 position>0.065 -0.029 0.0447 elementLinkShare>0.0433 0.0235 -0.0435
line:promotion>1 beforeIsSibling>1 afterSize>226 -0.0224 0.025 inMain>1 0.00675 0.0559 depth>12 -0.0892 -0.0101
line:credit>1 pageLinkShare>0.178 proseAfter>0.979 0.0375 -0.0149 class:related>4 -0.0628 -0.00378 -0.0942
class:about>2 grandparentProse>109 -0.00958 -0.0728 commas>2 grandparentProse>1860 0.00641 -0.0258 afterBest>1 0.0481 -0.0182
line:credit>1 afterBest>1 class:picture>10 -0.0272 0.0223 beforeSize>227 -0.0401 0.0232 -0.0852
inMain>1 words>33 likeMeanSize>268 -0.0143 -0.0798 stepsToBest>2 0.0473 -0.0168 inCaption>1 class:related>5 -0.0373 0.0394 -0.0554
line:credit>1 sinceRelated>48 size>126 -0.0455 0.00544 class:body>7 0.0297 -0.0148 -0.0861
inTable>1 pageLinkShare>0.178 likeCount>2 -0.0276 0.032 pageLinkShare>0.31 -0.0374 -0.000885 pageLinkShare>0.103 -0.0136 0.0864
class:content>6 class:related>7 class:body>11 -0.065 0.00707 stepsToTitle>5 -0.00681 0.025 parentBlocks>12 -0.0565 0.000468
sinceRelated>48 size>126 parentShare>0.0096 0.00129 -0.0693 wordLength>6.73 -0.0348 0.0324 pageProse>1050 class:body>11 0.0944 -0.0171 sinceComment>11 -0.0413 0.0104
inMain>1 pageLinkShare>0.178 proseAfter>0.965 0.0311 -0.0254 likeShare>0.571 -0.0132 -0.0619 inCaption>1 sinceComment>30 -0.0273 0.0515 -0.0555
size>126 parentMeanSize>177 sinceHeading>38 0.00582 -0.0352 inParagraph>1 -0.0127 -0.0851 class:content>5 sinceShare>68 -0.000909 0.0449 stepsToBest>3 -0.0034 -0.0456
afterLinkShare>0.722 class:picture>2 capitals>0.0667 -0.0108 -0.0608 class:comment>8 -0.0482 0.0201 digits>0.008 class:picture>4 0.000948 -0.0456 grandparentMeanSize>75.8 0.0359 -0.00587
class:caption>3 -0.0587 line:related>1 inMain>1 -0.0012 0.0341 -0.0626
capitals>0.125 class:body>3 line:promotion>1 0.0342 -0.0522 pageLinkShare>0.178 0.0111 -0.0211 pageLinkShare>0.178 parentLinkShare>0.0115 -0.0271 0.0203 digits>0.0326 -0.0583 -0.00628
inTable>1 size>208 headingLevel>2 -0.0201 0.0137 stepsToBest>6 0.0389 -0.0293 likeShare>0.08 0.0804 0.0167
line:credit>1 class:comment>8 -0.0447 likeCount>2 -0.0122 0.0255 -0.079
beforeIsSibling>1 isParagraph>1 likeCount>8 -0.0437 0.00162 blocksSinceTitle>20 0.0244 -0.0339 isParagraph>1 sinceHeading>50 0.043 -0.0244 words>33 -0.0221 0.0405
bestProseShare>0.491 sinceComment>37 wordLength>6.4 -0.0459 0.00971 parentShare>0.00747 -0.0171 0.0556 afterSize>20 bestProseShare>1 -0.0411 0.0166 parentMeanSize>82 0.0174 -0.0158
sinceRelated>48 bestProseShare>0.199 0.0325 parentProse>2930 -0.0515 0.00326 isDiv>1 afterBest>1 0.0238 -0.0281 likeShare>0.158 -0.0519 0.0204
sinceHeading>9 line:related>1 class:related>10 -0.0331 0.0253 -0.0535 inParagraph>1 sinceHeading>50 0.0283 -0.0446 words>44 -0.048 0.0111
sinceHeading>9 likeShare>0.0217 afterSize>226 -0.0261 0.0373 class:content>6 0.04 -0.0361 grandparentProseBefore>2870 likeCount>13 -0.0242 0.0225 position>0.544 0.00178 -0.0609
beforeIsSibling>1 blocksToProse>2 inCaption>1 0.0231 -0.0366 pageLinkShare>0.178 0.00452 -0.042 parentMeanSize>177 afterSize>134 0.037 -0.0135 afterSize>172 -0.0514 0.0306
class:content>1 class:lead>4 0.0178 capitals>0.04 0.00618 -0.062 line:credit>1 beforeLinkShare>0.205 0.0181 -0.0187 -0.0709
line:related>1 sinceHeading>8 class:sidebar>2 -0.0466 0.0164 grandparentLinkShare>0.0363 0.00411 -0.0299 -0.0678
sinceRelated>48 proseBefore>0.202 pageProse>3180 -0.0341 0.0324 stops>4 -0.0442 0.0125 capitals>0.156 class:header>2 -0.0528 0.0216 likeShare>0.0116 -0.0114 -0.0495
line:promotion>1 sinceHeading>50 grandparentMeanSize>34.7 0.0503 0.00193 bestDepthBelow>0 -0.0501 0.012 likeMeanSize>145 -0.0152 -0.0678
bestProseShare>0.491 class:about>3 -0.0296 grandparentShare>0.00888 -0.0323 0.054 afterSize>309 bestDepthBelow>2 -0.0244 0.0113 bestDepthBelow>2 0.0385 -0.0122
pageLinkShare>0.154 likeCount>2 grandparentProse>3220 -0.00766 -0.0495 sinceHeading>99 0.0425 -0.00762 inTable>1 pageProse>1050 0.0248 -0.0219 0.069
sinceComment>99 size>160 parentBlocks>33 -0.0451 0.00698 grandparentProse>1070 -0.0196 0.0383 position>0.758 position>0.0916 -0.0188 0.0242 parentLinkShare>0.407 -0.0333 0.0226
class:comment>8 wordLength>6.73 -0.055 -0.0072 class:content>1 grandparentProse>109 0.00967 -0.0467 line:credit>1 0.0136 -0.064
class:caption>3 -0.0531 position>0.723 inTable>1 0.00362 0.0644 bestDepthBelow>3 -0.0284 0.0236
class:header>2 -0.0483 class:about>3 stops>3 -0.0369 0.0162 inMain>1 -0.00296 0.0265
class:caption>3 shortWords>0.286 -0.0603 -0.00871 line:promotion>1 sinceHeading>50 0.0186 -0.0274 -0.0504
digits>0.008 sinceHeading>9 afterBest>0 0.0348 -0.00659 commas>2 -0.0378 0.0103 digits>0.161 grandparentMeanSize>51 0.0705 0.0245 class:body>10 0.00873 -0.0475
bestProseShare>0.491 repeats>1 proseAfter>0.448 0.001 0.051 -0.0231 class:content>5 likeShare>0.00588 -0.033 0.00585 likeCount>10 -0.065 -0.0162
line:promotion>1 class:caption>3 depth>10 -0.00546 -0.0568 class:header>2 -0.0476 0.00672 parentProse>522 -0.00624 -0.0733
sinceRelated>48 position>0.275 endsSentence>1 -0.0219 0.0397 parentProse>4120 -0.047 0.0205 position>0.723 beforeSize>455 0.0185 -0.0317 stepsToTitle>5 -0.0388 0.00263
sinceShare>18 proseAfter>0.615 bestProseShare>0.828 -0.0765 -0.00789 grandparentLinkShare>0.107 -0.0194 0.0368 class:header>2 -0.0463 grandparentLinkShare>0.958 0.0133 -0.0389
proseBefore>0.202 class:caption>4 -0.0395 blocksSinceTitle>3 -0.00289 0.047 sinceShare>22 proseBefore>0.405 -0.00086 -0.0596 words>33 -0.0151 0.0271
likeCount>8 afterSize>309 digits>0.008 -0.028 0.00848 pageSize>10200 0.0553 -0.0188 class:related>6 proseBefore>0.66 -0.00484 -0.0549 sinceComment>17 -0.0196 0.0315
line:credit>1 class:content>5 class:content>4 0.00272 0.0473 pageLinkShare>0.214 -0.0000862 -0.0504 -0.0676
grandparentShare>0.00888 bestProseShare>0.954 -0.0489 -0.00218 bestProseShare>0.709 size>61 0.0454 -0.00251 size>160 -0.0185 0.0187
class:picture>12 parentBlocks>3 grandparentLinkShare>0.137 -0.0552 -0.00866 grandparentLinkShare>0.0392 0.0282 -0.0277 class:comment>8 size>126 -0.0509 -0.00747 stepsToBest>6 0.0238 -0.0212
bestProseShare>0.491 class:about>8 sinceShare>68 -0.0355 0.00638 likeLinkShare>0.368 0.0494 -0.0139 class:content>5 isDiv>1 0.0016 -0.0308 bestProseShare>0.874 -0.0652 -0.0179
line:promotion>1 endsSentence>1 bestProseShare>0.709 0.0179 -0.0237 proseBefore>0.338 0.0377 -0.00588 -0.0481
line:related>1 class:body>11 likeShare>0.00471 -0.0359 0.0212 pageLinkShare>0.154 0.0127 -0.0237 -0.062
class:picture>10 wordLength>6.73 pageProse>2420 0.00705 -0.0457 blocksSinceTitle>20 -0.00809 0.0327 stepsToBest>6 pageProse>10200 0.0264 -0.0169 parentLinkShare>0.0115 0.00582 -0.0429
class:related>8 blocksSinceProse>99 sinceHeading>11 -0.0544 -0.0098 0.0175 beforeIsSibling>1 grandparentProseAfter>280 -0.0232 0.00668 sinceHeading>9 0.0287 -0.00649
line:related>1 line:about>1 sinceComment>11 -0.0324 0.0137 -0.0517 -0.0619
sinceRelated>48 afterIsSibling>1 class:content>1 -0.0468 0.0144 position>0.275 -0.00313 -0.0587 class:content>5 capitals>0.0507 0.0301 -0.000903 marks>1 -0.033 0.0154
sinceRelated>32 blocksToProse>10 size>160 -0.0534 0.00489 blocksToProse>84 0.0371 -0.0197 class:caption>5 -0.0365 afterBest>1 0.0188 -0.0137
line:promotion>1 grandparentMeanSize>239 class:body>5 0.0246 -0.00315 stops>3 -0.0428 0.021 commas>1 -0.0602 -0.00377
sinceShare>22 beforeIsSibling>1 shortWords>0.375 -0.0555 -0.0106 sinceHeading>11 -0.023 0.0258 repeats>1 class:content>1 -0.0285 0.0195 repeats>3 -0.0509 0.00197
class:lead>2 stepsToTitle>7 0.0573 -0.00903 stepsToTitle>5 size>101 -0.0362 0.0043 grandparentProseBefore>227 -0.00942 0.0374
beforeIsSibling>1 class:picture>8 beforeLinkShare>0.205 -0.0552 0.0145 parentBlocks>2 0.0152 -0.0186 grandparentLinkShare>0.19 links>1 0.00891 -0.0325 likeCount>26 0.0649 -0.0221
line:credit>1 line:related>1 class:body>12 0.0148 -0.0163 -0.0612 -0.0756
class:caption>4 capitals>0.0667 -0.00555 -0.0542 afterSize>309 capitals>0.2 0.0034 -0.0504 pageSize>10900 0.063 -0.0024
line:promotion>1 parentShare>0.00609 endsSentence>1 -0.0401 0.000849 parentProse>111 0.0355 -0.00053 parentProse>522 -0.0103 -0.0535
grandparentMeanSize>75.8 class:content>6 grandparentMeanSize>18.5 -0.014 0.0407 likeShare>0.0144 0.0147 -0.0353 size>208 likeMeanSize>60 0.00795 -0.0289 grandparentShare>0.151 -0.0115 0.0441
class:header>2 -0.0557 parentMeanSize>82 pageSize>7430 0.0479 -0.0102 words>16 -0.0274 0.00695
parentMeanSize>82 parentShare>0.00488 shortWords>0.31 -0.0529 0.0177 sinceComment>78 -0.0144 0.0325 pageLinkShare>0.103 likeMeanSize>145 -0.0273 0.0444 pageProse>1970 0.0153 -0.0277
class:about>2 pageProse>1660 0.0108 likeMeanSize>33.2 -0.0132 -0.0593 digits>0.008 line:related>1 -0.00477 -0.0484 digits>0.161 0.0282 -0.026
afterBest>1 class:caption>3 -0.0468 elementLinkShare>0.0433 0.025 -0.00762 depth>13 bestProseShare>0.199 0.0132 -0.0505 grandparentLinkShare>0.0392 0.044 -0.0322
line:credit>1 class:popup>8 grandparentProse>109 -0.00682 -0.0443 class:comment>8 -0.029 0.00855 -0.0539
class:sidebar>3 -0.0529 repeats>1 sinceHeading>9 0.0162 -0.0112 capitals>0.0299 0.0206 -0.0511
depth>21 proseBefore>0.202 blocksSinceTitle>8 -0.00548 0.0434 blocksSinceTitle>10 0.0111 -0.0253 0.0597
line:promotion>1 parentShare>0.00747 parentMeanSize>82 -0.0399 0.00448 class:sidebar>2 -0.0409 0.00668 likeMeanSize>128 -0.0117 -0.056
sinceHeading>50 bestProseShare>0.491 class:sidebar>9 -0.0208 0.0395 class:content>5 0.00355 -0.0386 bestProseShare>0.983 stepsToBest>1 -0.00594 -0.045 0.0222
parentShare>0.0788 blocksSinceTitle>42 pageSize>9240 0.0354 -0.00559 inBest>1 -0.0417 0.0142 capitals>0.0233 grandparentShare>0.343 -0.00835 0.0413 commas>3 -0.0392 0.0181
pageLinkShare>0.178 grandparentShare>0.00888 capitals>0.0847 -0.0331 -0.00332 class:about>10 -0.00703 0.0308 afterSize>309 class:lead>4 0.0273 -0.0252 isParagraph>1 0.0484 -0.00517
likeCount>8 repeats>1 sinceHeading>9 0.00954 -0.0276 size>17 0.00662 -0.0563 afterBest>1 linkShare>0.108 0.0447 -0.0072 sinceShare>99 -0.0395 0.012
likeMeanSize>60 size>35 parentProseBefore>109 -0.0138 0.0306 size>55 0.0569 -0.0121 stops>3 likeMeanSize>128 0.000869 -0.0315 grandparentShare>0.151 -0.0147 0.0421
line:credit>1 afterSize>309 capitals>0.2 -0.00568 -0.0553 grandparentProseAfter>128 -0.0116 0.0388 -0.0672
class:header>2 -0.0482 sinceComment>44 parentProseAfter>171 -0.0382 0.02 class:related>7 -0.0283 0.0191
grandparentMeanSize>34.7 grandparentMeanSize>25 likeCount>16 0.00811 -0.0315 stepsToTitle>5 0.0101 0.0726 headingLevel>2 likeCount>14 -0.0259 0.00537 parentProse>2930 -0.00982 0.0586
class:popup>9 -0.0361 sinceShare>22 grandparentLinkShare>0.137 -0.0326 0.0113 bestProseShare>0.709 0.0304 0.000694
commas>2 wordLength>5 parentLinkShare>0.141 -0.00198 0.0512 repeats>1 -0.00621 -0.0409 parentLinkShare>0.0968 class:picture>3 -0.0117 0.0409 parentProse>522 -0.0212 -0.00284
grandparentMeanSize>34.7 grandparentMeanSize>18.5 likeShare>0.00387 0.00981 -0.0325 position>0.723 0.0628 -0.029 headingLevel>2 likeShare>0.13 -0.0283 0.00306 depth>9 0.0456 -0.00297
line:promotion>1 line:about>1 sinceComment>78 -0.0111 0.0146 -0.0415 likeMeanSize>128 -0.00683 -0.0458
grandparentMeanSize>34.7 likeCount>18 blocksSinceProse>4 -0.0171 0.0521 -0.0283 proseAfter>0.979 parentProse>11200 0.00259 -0.0396 likeShare>0.0354 -0.0442 0.00435
pageLinkShare>0.178 grandparentLinkShare>0.107 size>160 -0.00775 0.0331 pageProse>8060 0.0711 -0.00636 pageLinkShare>0.31 blocksSinceTitle>8 0.00299 -0.0486 blocksSinceTitle>5 -0.0295 0.0279
line:credit>1 grandparentLinkShare>0.958 class:footer>12 -0.0308 0.0108 size>17 -0.00634 -0.0403 -0.0621
linkShare>0.806 class:about>2 size>42 -0.00459 -0.0418 class:sidebar>4 -0.037 0.01 parentMeanSize>52.5 blocksSinceProse>17 0.0242 -0.0251 -0.0528
beforeIsSibling>1 grandparentLinkShare>0.19 afterSize>48 -0.023 0.021 proseBefore>0.93 -0.047 0.00181 proseBefore>0.405 bestProseShare>0.709 0.0621 -0.0031 bestProseShare>0.923 -0.0242 0.031
class:about>8 shortWords>0.31 linkShare>0.381 0.013 -0.0334 class:picture>4 -0.00579 -0.058 shortWords>0.231 grandparentMeanSize>101 0.0128 -0.0292 blocksSinceTitle>8 0.0412 0.00481
afterBest>1 isDiv>1 pageLinkShare>0.178 0.0369 0.000668 likeShare>0.104 -0.0389 0.036 likeShare>0.31 likeShare>0.00738 -0.000432 -0.056 class:body>9 0.0356 -0.0255
depth>21 size>101 grandparentProse>109 0.00764 -0.0256 proseAfter>0.615 -0.0038 0.027 0.0572
wordLength>5.72 pageLinkShare>0.178 stepsToBest>1 0.0323 -0.0212 wordLength>4.33 0.0102 -0.0399 class:picture>7 likeCount>18 -0.0286 0.0395 beforeLinkShare>1 0.026 -0.0155
linkShare>0.806 line:credit>1 class:body>12 0.015 -0.0138 -0.0611 parentMeanSize>52.5 likeCount>26 0.02 -0.0311 -0.0614
class:about>2 class:body>10 -0.0543 -0.00853 beforeIsSibling>1 sinceShare>22 -0.0393 -0.00222 bestProseShare>0.709 0.0325 0.00165
class:header>5 position>0.241 -0.0499 pageLinkShare>0.424 -0.0222 0.0172 headingLevel>2 class:title>6 -0.0513 0.00209 parentMeanSize>40.5 -0.0274 0.0551
parentShare>0.164 sinceHeading>2 pageProse>2550 -0.0504 0.00228 pageProse>5140 0.0388 -0.0113 words>26 likeMeanSize>33.2 0.0201 -0.0357 sinceHeading>9 0.0459 0.00188
wordLength>6.73 likeShare>0.256 digits>0.0326 -0.0342 0.00988 linkShare>0.108 0.0294 -0.0307 parentBlocks>11 parentMeanSize>40.5 -0.0142 0.0301 wordLength>8.5 -0.0273 0.0172
likeShare>0.00471 size>19 afterBest>0 0.0124 -0.0152 -0.0433 position>0.403 position>0.078 -0.00933 0.0388 likeMeanSize>60 0.024 -0.00988
grandparentShare>0.0239 parentMeanSize>114 pageSize>8380 -0.00307 -0.0498 grandparentShare>0.0144 0.0335 -0.0207 line:related>1 parentProse>111 0.0271 -0.00108 -0.0477
class:related>7 proseBefore>0.0214 0.0141 -0.0478 likeCount>2 sinceRelated>26 0.0205 -0.024 sinceRelated>32 -0.0214 0.0199
afterBest>1 isDiv>1 grandparentLinkShare>0.395 0.0202 -0.0218 parentProseBefore>376 -0.0375 0.0113 class:body>12 grandparentLinkShare>0.0261 0.0491 -0.0248 grandparentLinkShare>0.278 -0.0595 0.00426
parentProse>522 position>0.0916 likeShare>0.0413 -0.0315 0.0112 class:popup>11 -0.0318 0.0202 sinceShare>40 parentProseShare>0.933 -0.0523 0.0129 commas>3 -0.00949 0.0329
grandparentProseBefore>6360 class:picture>12 beforeIsSibling>1 -0.0386 0.00238 stepsToBest>6 0.0171 -0.0185 grandparentLinkShare>0.0261 -0.0648 -0.00224
parentShare>0.434 likeShare>0.256 size>55 0.017 -0.0174 beforeLinkShare>0.636 0.0403 -0.0126 capitals>0.0233 0.0314 size>26 0.0202 -0.0389
`
