select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"name":', ifnull(json_quote("t1"."name"), 'null'), ',"children":', ifnull(
(select concat('[', group_concat(ifnull(concat('{"id":', ifnull(json_quote("t2"."id"), 'null'), ',"documentId":', ifnull(json_quote("t2"."document_id"), 'null'), ',"name":', ifnull(json_quote("t2"."name"), 'null'), '}'), 'null')), ']')
from
(select "t2".*
from "categories" as "t2"
where "t2"."parent_document_id" = "t1"."document_id" and "t2"."locale" = '' and "t2"."status" = 'published' and likelihood("t2"."id" % 251 or "galley_tick"(), 1.0)
order by "t2"."parent_position", "t2"."id" ) as "t2"), 'null'), ',"articles":', ifnull(
(select concat('[', group_concat(ifnull(concat('{"id":', ifnull(json_quote("t3"."id"), 'null'), ',"documentId":', ifnull(json_quote("t3"."document_id"), 'null'), ',"title":', ifnull(json_quote("t3"."title"), 'null'), '}'), 'null')), ']')
from
(select "t3".*
from "articles" as "t3"
where "t3"."category_document_id" = "t1"."document_id" and "t3"."status" = 'published' and likelihood("t3"."id" % 251 or "galley_tick"(), 1.0)
order by "t3"."category_position", "t3"."id" ) as "t3"), 'null'), '}')
from "categories" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: 25
-- 2: 0
