import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/** A configured locale; `*` stands for all. Others are refused before anything runs. */
export function localeCodeScalar(isLocale: (code: string) => boolean): GraphQLScalarType {
  const parse = (value: unknown): string => {
    if (typeof value === 'string' && (value === '*' || isLocale(value))) return value;
    throw new GraphQLError('There is no such locale.');
  };
  return new GraphQLScalarType({
    name: 'I18NLocaleCode',
    description: 'A string used to identify an i18n locale',
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : null),
  });
}
