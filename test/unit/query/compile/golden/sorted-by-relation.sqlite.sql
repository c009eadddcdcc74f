select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"title":', ifnull(json_quote("t1"."title"), 'null'), '}')
from
(select "t1"."id" as sorted_id
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by
(select
(select "t5"."nickname"
from "profiles" as "t5"
where "t5"."document_id" = "t4"."profile_document_id" and "t5"."locale" = '' and "t5"."status" = 'published'
limit 1)
from "authors" as "t4"
where "t4"."document_id" = "t1"."author_document_id" and "t4"."locale" = '' and "t4"."status" = 'published'
limit 1) desc, "t1"."id"
limit (+? + 0) offset (+? + 0)) as "t1s" cross join "articles" as "t1" on "t1"."id" = "t1s".sorted_id

-- 1: "en"
-- 2: 25
-- 3: 0
