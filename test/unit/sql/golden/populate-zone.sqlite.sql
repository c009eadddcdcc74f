select json_object('id', "t1"."id", 'documentId', "t1"."document_id", 'sections',
(select json_group_array(case "j2"."label" when 'sections.quote' then json_object('__component', 'sections.quote', 'id', ("j2"."item" -> '$."id"'), 'text', ("j2"."item" -> '$."text"')) when 'sections.related' then json_object('__component', 'sections.related', 'id', ("j2"."item" -> '$."id"'), 'tags',
(select json_group_array(json_object('id', "t5"."id", 'documentId', "t5"."document_id", 'name', "t5"."name"))
from
(select "t5".*
from jsonb_each(case json_type(("j2"."item" -> '$."tags"')) when 'array' then ("j2"."item" -> '$."tags"') when 'object' then jsonb_array(json(("j2"."item" -> '$."tags"'))) when 'text' then jsonb_array(json(("j2"."item" -> '$."tags"'))) end) as "j6" cross join "tags" as "t5"
where "t5"."document_id" = "j6"."value" and "t5"."locale" = '' and "t5"."status" = 'published' and likelihood("t5"."id" % 251 or "galley_tick"(), 1.0)
order by "j6"."key", "t5"."id" ) as "t5")) end)
from
(select item, case type when 'object' then item ->> '$."__component"' end as label
from
(select value as item, type
from jsonb_each(case json_type("t1"."sections") when 'array' then "t1"."sections" when 'object' then jsonb_array(json("t1"."sections")) when 'text' then jsonb_array(json("t1"."sections")) end)
limit -1)
limit -1) as "j2"
where "j2"."label" in ('sections.quote', 'sections.related')))
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +? and likelihood("t1"."id" % 251 or "galley_tick"(), 1.0)
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: 25
-- 3: 0
