select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"name":', ifnull(json_quote("t1"."name"), 'null'), ',"articles":', ifnull(
(select concat('[', group_concat(ifnull(concat('{"id":', ifnull(json_quote("t3"."id"), 'null'), ',"documentId":', ifnull(json_quote("t3"."document_id"), 'null'), ',"title":', ifnull(json_quote("t3"."title"), 'null'), ',"author":', ifnull(
(select concat('{"id":', ifnull(json_quote("t4"."id"), 'null'), ',"documentId":', ifnull(json_quote("t4"."document_id"), 'null'), ',"name":', ifnull(json_quote("t4"."name"), 'null'), ',"profile":', ifnull(
(select concat('{"id":', ifnull(json_quote("t5"."id"), 'null'), ',"documentId":', ifnull(json_quote("t5"."document_id"), 'null'), ',"nickname":', ifnull(json_quote("t5"."nickname"), 'null'), '}')
from "profiles" as "t5"
where "t5"."document_id" = "t4"."profile_document_id" and "t5"."locale" = '' and "t5"."status" = 'published' and likelihood("t5"."id" % 251 or "galley_tick"(), 1.0)), 'null'), '}')
from "authors" as "t4"
where "t4"."document_id" = "t3"."author_document_id" and "t4"."locale" = '' and "t4"."status" = 'published' and likelihood("t4"."id" % 251 or "galley_tick"(), 1.0)), 'null'), '}'), 'null')), ']')
from
(select "t3".*
from "articles_tags_links" as "l2" cross join "articles" as "t3"
where "l2"."target_document_id" = "t1"."document_id" and "t3"."id" = "l2"."source_id" and "t3"."status" = 'draft' and likelihood("t3"."id" % 251 or "galley_tick"(), 1.0)
order by "l2"."inverse_position", "t3"."id" ) as "t3"), 'null'), '}')
from "tags" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: 25
-- 2: 0
