select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), '}')
from "articles" as "t1" join "authors" as "t2" on "t2"."document_id" = "t1"."author_document_id" and "t2"."locale" = '' and "t2"."status" = 'published' and instr("t2"."name", +?) > 0
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "a"
-- 2: "en"
-- 3: 25
-- 4: 0
