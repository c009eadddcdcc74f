select json_object('id', "t1"."id", 'documentId', "t1"."document_id", 'sections',
(select json_group_array(case case when json_type("j2"."value", '$."__component"') in ('text') then "j2"."value" ->> '$."__component"' end when 'sections.quote' then json_object('__component', 'sections.quote', 'id', ("j2"."value" -> '$."id"'), 'text', ("j2"."value" -> '$."text"')) when 'sections.related' then json_object('__component', 'sections.related', 'id', ("j2"."value" -> '$."id"'), 'tags',
(select json_group_array(json_object('id', "t5"."id", 'documentId', "t5"."document_id", 'name', "t5"."name"))
from
(select "t5".*
from json_each(case json_type(("j2"."value" -> '$."tags"')) when 'array' then ("j2"."value" -> '$."tags"') when 'object' then json_array(json(("j2"."value" -> '$."tags"'))) when 'text' then json_array(json(("j2"."value" -> '$."tags"'))) end) as "j6" cross join "tags" as "t5"
where "t5"."document_id" = "j6"."value" and "t5"."locale" = '' and "t5"."status" = 'published'
order by "j6"."key", "t5"."id" ) as "t5")) end)
from json_each(case json_type("t1"."sections") when 'array' then "t1"."sections" when 'object' then json_array(json("t1"."sections")) when 'text' then json_array(json("t1"."sections")) end) as "j2"
where case when json_type("j2"."value", '$."__component"') in ('text') then "j2"."value" ->> '$."__component"' end in ('sections.quote', 'sections.related')))
from "articles" as "t1"
where "t1"."status" = 'published' and "t1"."locale" = +?
order by "t1"."id"
limit (+? + 0) offset (+? + 0)

-- 1: "en"
-- 2: 25
-- 3: 0
