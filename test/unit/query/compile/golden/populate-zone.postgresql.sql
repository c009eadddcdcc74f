select json_build_object('id', "t1"."id", 'documentId', "t1"."document_id", 'sections',
(select coalesce(json_agg(case "j2"."label" when 'sections.quote' then json_build_object('__component', 'sections.quote', 'id', ("j2"."item" -> 'id'), 'text', ("j2"."item" -> 'text')) when 'sections.related' then json_build_object('__component', 'sections.related', 'id', ("j2"."item" -> 'id'), 'tags',
(select coalesce(json_agg(json_build_object('id', "t5"."id", 'documentId', "t5"."document_id", 'name', "t5"."name")), '[]'::json)
from
(select "t5".*
from json_array_elements(case json_typeof(("j2"."item" -> 'tags')) when 'array' then ("j2"."item" -> 'tags') when 'object' then json_build_array(("j2"."item" -> 'tags')) when 'string' then json_build_array(("j2"."item" -> 'tags')) end) with ordinality as "j6"(item, position) cross join lateral
(select *
from "tags" as "t5"
where "t5"."document_id" = "j6"."item" #>> '{}' and "t5"."locale" = '' and "t5"."status" = 'published' offset 0) as "t5"
order by "j6"."position", "t5"."id" ) as "t5")) end), '[]'::json)
from
(select item, item ->> '__component' as label
from json_array_elements(case json_typeof("t1"."sections") when 'array' then "t1"."sections" when 'object' then json_build_array("t1"."sections") when 'string' then json_build_array("t1"."sections") end) as e(item) offset 0) as "j2"
where "j2"."label" in ('sections.quote', 'sections.related')))::text
from
(select "t1".*
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = $1::text
order by "t1"."id"
limit $2::bigint offset $3::bigint) as "t1"

-- 1: "en"
-- 2: 25
-- 3: 0
