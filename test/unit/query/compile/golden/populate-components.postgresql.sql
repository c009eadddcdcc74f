select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'seo', case when not coalesce(json_typeof("t1"."seo"), 'null') = 'null' then
(select json_build_object('id', "c2"."id", 'metaTitle', "c2"."metaTitle", 'image',
(select json_build_object('id', "t3"."id", 'documentId', "t3"."document_id", 'url', "t3"."url")
from "files" as "t3"
where "t3"."document_id" = case json_typeof(("t1"."seo" -> 'image')) when 'string' then ("t1"."seo" ->> 'image') end and "t3"."locale" = '' and "t3"."status" = 'published'), 'social',
(select coalesce(json_agg(
(select json_build_object('id', "c5"."id", 'network', "c5"."network", 'handle', "c5"."handle")
from json_to_record(case json_typeof("j4"."item") when 'object' then "j4"."item" end) as "c5"("id" json, "network" json, "handle" json))), '[]'::json)
from json_array_elements(case json_typeof("c2"."social") when 'array' then "c2"."social" when 'object' then json_build_array("c2"."social") when 'string' then json_build_array("c2"."social") end) with ordinality as "j4"(item, position)))
from json_to_record(case json_typeof("t1"."seo") when 'object' then "t1"."seo" end) as "c2"("id" json, "metaTitle" json, "image" json, "social" json)) end, 'links',
(select coalesce(json_agg(
(select json_build_object('id', "c7"."id", 'label', "c7"."label", 'tag',
(select json_build_object('id', "t8"."id", 'documentId', "t8"."document_id", 'name', "t8"."name")
from "tags" as "t8"
where "t8"."document_id" = case json_typeof(("j6"."item" -> 'tag')) when 'string' then ("j6"."item" ->> 'tag') end and "t8"."locale" = '' and "t8"."status" = 'published'))
from json_to_record(case json_typeof("j6"."item") when 'object' then "j6"."item" end) as "c7"("id" json, "label" json, "tag" json))), '[]'::json)
from json_array_elements(case json_typeof("t1"."links") when 'array' then "t1"."links" when 'object' then json_build_array("t1"."links") when 'string' then json_build_array("t1"."links") end) with ordinality as "j6"(item, position)))::text
from
(select "t1".*
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = $1::text
order by "t1"."id"
limit $2::bigint offset $3::bigint) as "t1"

-- 1: "en"
-- 2: 25
-- 3: 0
