select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), ',"title":', ifnull(json_quote("t1"."title"), 'null'), ',"localizations":', ifnull(
(select concat('[', group_concat(ifnull(concat('{"id":', ifnull(json_quote("t2"."id"), 'null'), ',"documentId":', ifnull(json_quote("t2"."document_id"), 'null'), ',"title":', ifnull(json_quote("t2"."title"), 'null'), ',"locale":', ifnull(json_quote("t2"."locale"), 'null'), '}'), 'null')), ']')
from
(select "t2".*
from "articles" as "t2"
where "t2"."document_id" = "t1"."document_id" and "t2"."status" = 'published' and "t2"."locale" <> "t1"."locale"
order by "t2"."locale", "t2"."id") as "t2"), 'null'), '}')
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: 25
-- 3: 0
