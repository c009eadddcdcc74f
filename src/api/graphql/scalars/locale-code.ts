import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/** Creates the scalar of a locale's code. It accepts the configured locales and `*`, which stands for all. */
export function localeCodeScalar(isLocale: (code: string) => boolean): GraphQLScalarType {
  const parse = (value: unknown): string => {
    if (typeof value === 'string' && (value === '*' || isLocale(value))) return value;
    throw new GraphQLError('This locale is not configured.');
  };
  return new GraphQLScalarType({
    name: 'I18NLocaleCode',
    description: 'A string used to identify an i18n locale',
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : null),
  });
}
