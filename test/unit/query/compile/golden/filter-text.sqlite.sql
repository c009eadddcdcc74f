select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), '}')
from "tags" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0) and ((instr("galley_fold"("t1"."name"), "galley_fold"(+?)) > 0 or (("t1"."name" >= +? and "t1"."name" < (+? || cast(x'ff' as text)) and substr("t1"."name", 1, length(+?)) = +?) and substr("t1"."name", length("t1"."name") - length(+?) + 1) = +?)) or ("t1"."name" in
(select value
from json_each(+?)) or "t1"."label" is null))
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "É"
-- 2: "a"
-- 3: "a"
-- 4: "a"
-- 5: "a"
-- 6: "z"
-- 7: "z"
-- 8: "[\"a\",\"b\"]"
-- 9: 25
-- 10: 0
