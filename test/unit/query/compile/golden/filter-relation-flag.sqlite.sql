select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), '}')
from "tags" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = '' and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0) and "t1"."document_id" in
(select "l2"."target_document_id"
from "articles" as "t3" cross join "articles_tags_links" as "l2"
where "t3"."featured" = +? and "t3"."id" = "l2"."source_id" and "t3"."status" = 'published')
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: 1
-- 2: 25
-- 3: 0
