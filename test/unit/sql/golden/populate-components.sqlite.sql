select json_object('id', "t1"."id", 'documentId', "t1"."document_id", 'seo', case when not coalesce(json_type("t1"."seo"), 'null') = 'null' then json_object('id', ("t1"."seo" -> '$."id"'), 'metaTitle', ("t1"."seo" -> '$."metaTitle"'), 'image',
(select json_object('id', "t3"."id", 'documentId', "t3"."document_id", 'url', "t3"."url")
from "files" as "t3"
where "t3"."document_id" = case when json_type("t1"."seo", '$."image"') in ('text') then "t1"."seo" ->> '$."image"' end and "t3"."locale" = '' and "t3"."status" = 'published' and likelihood("t3"."id" % 251 or "galley_tick"(), 1.0)), 'social',
(select json_group_array(json_object('id', ("j4"."value" -> '$."id"'), 'network', ("j4"."value" -> '$."network"'), 'handle', ("j4"."value" -> '$."handle"')))
from jsonb_each(case json_type(("t1"."seo" -> '$."social"')) when 'array' then ("t1"."seo" -> '$."social"') when 'object' then jsonb_array(json(("t1"."seo" -> '$."social"'))) when 'text' then jsonb_array(json(("t1"."seo" -> '$."social"'))) end) as "j4")) end, 'links',
(select json_group_array(json_object('id', ("j6"."value" -> '$."id"'), 'label', ("j6"."value" -> '$."label"'), 'tag',
(select json_object('id', "t8"."id", 'documentId', "t8"."document_id", 'name', "t8"."name")
from "tags" as "t8"
where "t8"."document_id" = case when json_type("j6"."value", '$."tag"') in ('text') then "j6"."value" ->> '$."tag"' end and "t8"."locale" = '' and "t8"."status" = 'published' and likelihood("t8"."id" % 251 or "galley_tick"(), 1.0))))
from jsonb_each(case json_type("t1"."links") when 'array' then "t1"."links" when 'object' then jsonb_array(json("t1"."links")) when 'text' then jsonb_array(json("t1"."links")) end) as "j6"))
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: 25
-- 3: 0
