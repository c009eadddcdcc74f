select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"title":', ifnull(json_quote("t1"."title"), 'null'), ',"cover":', ifnull(
(select concat('{"id":', ifnull(json_quote("t2"."id"), 'null'), ',"documentId":', ifnull(json_quote("t2"."document_id"), 'null'), ',"url":', ifnull(json_quote("t2"."url"), 'null'), '}')
from "files" as "t2"
where "t2"."document_id" = "t1"."cover_document_id" and "t2"."locale" = '' and "t2"."status" = 'published' and likelihood("t2"."id" % 251 or "galley_tick"(), 1.0)), 'null'), ',"author":', ifnull(
(select concat('{"id":', ifnull(json_quote("t3"."id"), 'null'), ',"documentId":', ifnull(json_quote("t3"."document_id"), 'null'), ',"name":', ifnull(json_quote("t3"."name"), 'null'), '}')
from "authors" as "t3"
where "t3"."document_id" = "t1"."author_document_id" and "t3"."locale" = '' and "t3"."status" = 'published' and likelihood("t3"."id" % 251 or "galley_tick"(), 1.0)), 'null'), '}')
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: 25
-- 3: 0
