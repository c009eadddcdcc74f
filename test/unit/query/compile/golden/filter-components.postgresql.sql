select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id")::text
from
(select "t1".*
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = $1::text and (exists
(select 1
from json_array_elements(case json_typeof(("t1"."seo" -> 'social')) when 'array' then ("t1"."seo" -> 'social') when 'object' then json_build_array(("t1"."seo" -> 'social')) when 'string' then json_build_array(("t1"."seo" -> 'social')) end) with ordinality as "j2"(item, position)
where case json_typeof(("j2"."item" -> 'network')) when 'string' then ("j2"."item" ->> 'network') end = $2::text) and exists
(select 1
from json_array_elements(case json_typeof("t1"."links") when 'array' then "t1"."links" when 'object' then json_build_array("t1"."links") when 'string' then json_build_array("t1"."links") end) with ordinality as "j3"(item, position)
where exists
(select 1
from "tags" as "t4"
where "t4"."document_id" = case json_typeof(("j3"."item" -> 'tag')) when 'string' then ("j3"."item" ->> 'tag') end and "t4"."locale" = '' and "t4"."status" = 'published' and "t4"."name" collate "C" = $3::text)))
order by "t1"."id"
limit $4::bigint offset $5::bigint) as "t1"

-- 1: "en"
-- 2: "bluesky"
-- 3: "red"
-- 4: 25
-- 5: 0
