select count(*)
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = $1::text and exists
(select 1
from "articles_tags_links" as "l2" cross join "tags" as "t3"
where "l2"."source_id" = "t1"."id" and "t3"."document_id" = "l2"."target_document_id" and "t3"."locale" = '' and "t3"."status" = 'published' and "t3"."name" collate "C" = $2::text)
