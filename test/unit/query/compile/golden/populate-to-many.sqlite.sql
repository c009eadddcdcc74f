select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"title":', ifnull(json_quote("t1"."title"), 'null'), ',"gallery":', ifnull(
(select concat('{"count":', ifnull(json_quote(count(*)), 'null'), '}')
from "articles_gallery_links" as "l2" cross join "files" as "t3"
where "l2"."source_id" = "t1"."id" and "t3"."document_id" = "l2"."target_document_id" and "t3"."locale" = '' and "t3"."status" = 'published' and likelihood("t3"."id" % 251 or "galley_tick"(), 1.0)), 'null'), ',"tags":', ifnull(
(select concat('[', group_concat(ifnull(concat('{"id":', ifnull(json_quote("t5"."id"), 'null'), ',"documentId":', ifnull(json_quote("t5"."document_id"), 'null'), ',"name":', ifnull(json_quote("t5"."name"), 'null'), '}'), 'null')), ']')
from
(select "t5".*
from "articles_tags_links" as "l4" cross join "tags" as "t5"
where "l4"."source_id" = "t1"."id" and "t5"."document_id" = "l4"."target_document_id" and "t5"."locale" = '' and "t5"."status" = 'published' and likelihood("t5"."id" % 251 or "galley_tick"(), 1.0)
order by "l4"."position", "l4"."id" ) as "t5"), 'null'), ',"related":', ifnull(
(select concat('[', group_concat(ifnull(concat('{"id":', ifnull(json_quote("t7"."id"), 'null'), ',"documentId":', ifnull(json_quote("t7"."document_id"), 'null'), ',"title":', ifnull(json_quote("t7"."title"), 'null'), '}'), 'null')), ']')
from
(select "t7".*
from "articles_related_links" as "l6" cross join "articles" as "t7"
where "l6"."source_id" = "t1"."id" and "t7"."document_id" = "l6"."target_document_id" and "t7"."locale" = "t1"."locale" and "t7"."status" = 'published' and likelihood("t7"."id" % 251 or "galley_tick"(), 1.0) and "t7"."views" > +?
order by "t7"."title" asc, "l6"."position", "l6"."id"
limit (+? + 0) offset (+? + 0)) as "t7"), 'null'), '}')
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: 1
-- 2: 3
-- 3: 0
-- 4: "en"
-- 5: 25
-- 6: 0
