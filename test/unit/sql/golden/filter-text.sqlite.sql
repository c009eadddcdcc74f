select json_object('id', "t1"."id", 'documentId', "t1"."document_id")
from "tags" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and ((instr("galley_fold"("t1"."name"), "galley_fold"(+?)) > 0 or (substr("t1"."name", 1, length(+?)) = +? and substr("t1"."name", length("t1"."name") - length(+?) + 1) = +?)) or ("t1"."name" in
(select value
from json_each(+?)) or "t1"."label" is null))
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "É"
-- 2: "a"
-- 3: "a"
-- 4: "z"
-- 5: "z"
-- 6: "[\"a\",\"b\"]"
-- 7: 25
-- 8: 0
