select json_object('id', "t1"."id", 'documentId', "t1"."document_id")
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0) and "t1"."author_document_id" in
(select "t2"."document_id"
from "authors" as "t2"
where instr("t2"."name", +?) > 0 and "t2"."locale" = '' and "t2"."status" = 'published')
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: "a"
-- 3: 25
-- 4: 0
