select count(*)
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0) and "t1"."id" in
(select "l2"."source_id"
from "tags" as "t3" cross join "articles_tags_links" as "l2"
where "t3"."name" = +? and "t3"."document_id" = "l2"."target_document_id" and "t3"."locale" = '' and "t3"."status" = 'published')
