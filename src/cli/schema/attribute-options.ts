import type { Attribute, LinkAttribute } from '../../model/model.js';

const linkOptions = (attribute: LinkAttribute): Readonly<Record<string, unknown>> => {
  const { target } = attribute;
  if (attribute.family === 'media')
    return { multiple: attribute.many, allowedTypes: attribute.allowedTypes, target };
  return {
    relation: attribute.relation,
    ...(target === null ? {} : { target }),
    ...(attribute.targets === undefined ? {} : { targets: attribute.targets }),
    ...(attribute.counterpart === null ? {} : { counterpart: attribute.counterpart }),
  };
};

type Constraints = Extract<Attribute, { family: 'scalar' }>['constraints'];

const asJson = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  return value instanceof RegExp ? value.source : value;
};

const constraintOptions = ({
  required: _required,
  ...constraints
}: Constraints): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(constraints)
      .filter(([, value]) => value !== undefined && value !== false)
      .map(([name, value]) => [name, asJson(value)]),
  );

const boundOptions = ({ min, max }: { readonly min: number | null; readonly max: number | null }) => ({
  ...(min === null ? {} : { min }),
  ...(max === null ? {} : { max }),
});

const ownOptions = (attribute: Attribute): Readonly<Record<string, unknown>> => {
  switch (attribute.family) {
    case 'scalar':
      return {
        ...constraintOptions(attribute.constraints),
        ...(attribute.isIndexed ? { index: true } : {}),
        ...(attribute.isSearched ? { search: true } : {}),
        ...(attribute.default === undefined ? {} : { default: asJson(attribute.default) }),
      };
    case 'relation':
    case 'media':
      return linkOptions(attribute);
    case 'component':
      return {
        component: attribute.component,
        repeatable: attribute.repeatable,
        ...boundOptions(attribute),
      };
    case 'dynamiczone':
      return { components: attribute.components, ...boundOptions(attribute) };
  }
};

/** Returns the settings of an attribute as values for `--json`, named as in schema files. */
export function optionsOf(attribute: Attribute): Readonly<Record<string, unknown>> {
  const { condition } = attribute;
  return {
    ...ownOptions(attribute),
    ...(condition === undefined ? {} : { conditions: { visible: condition.rule } }),
  };
}
