select concat('{"id":', ifnull(json_quote("t1"."id"), 'null'), ',"documentId":', ifnull(json_quote("t1"."document_id"), 'null'), '}')
from "articles" as "t1" join "authors" as "t2" on "t2"."document_id" = "t1"."author_document_id" and "t2"."locale" = '' and "t2"."status" = 'published' and "t2"."profile_document_id" in
(select "t3"."document_id"
from "profiles" as "t3"
where "t3"."nickname" = +? and "t3"."locale" = '' and "t3"."status" = 'published')
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0) and (exists
(select 1
from "articles_tags_links" as "l4" cross join "tags" as "t5"
where "l4"."source_id" = "t1"."id" and "t5"."document_id" = "l4"."target_document_id" and "t5"."locale" = '' and "t5"."status" = 'published' and "t5"."name" <> +?) and not (exists
(select 1
from "categories" as "t6"
where "t6"."document_id" = "t1"."category_document_id" and "t6"."locale" = '' and "t6"."status" = 'published')))
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "ada"
-- 2: "en"
-- 3: "x"
-- 4: 25
-- 5: 0
