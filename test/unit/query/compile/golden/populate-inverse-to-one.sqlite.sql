select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"nickname":', ifnull(json_quote("t1"."nickname"), 'null'), ',"author":', ifnull(
(select concat('{"id":', ifnull(json_quote("t2"."id"), 'null'), ',"documentId":', ifnull(json_quote("t2"."document_id"), 'null'), ',"name":', ifnull(json_quote("t2"."name"), 'null'), '}')
from
(select "t2".*
from "authors" as "t2"
where "t2"."profile_document_id" = "t1"."document_id" and "t2"."locale" = '' and "t2"."status" = 'published' and likelihood("t2"."id" % 251 or "galley_tick"(), 1.0)
order by "t2"."id"
limit 1) as "t2"), 'null'), '}')
from "profiles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: 25
-- 2: 0
