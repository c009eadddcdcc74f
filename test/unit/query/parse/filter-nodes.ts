/** The nodes that a filter is expected to be parsed to. */
export const compare = (field: string, operator: string, operand: unknown) => ({
  kind: 'compare',
  field,
  operator,
  operand,
});
export const link = (attribute: string, filter: unknown) => ({ kind: 'link', attribute, filter });
export const component = (attribute: string, filter: unknown) => ({ kind: 'component', attribute, filter });
export const not = (item: unknown) => ({ kind: 'not', item });
export const and = (...items: readonly unknown[]) => ({ kind: 'and', items });
export const or = (...items: readonly unknown[]) => ({ kind: 'or', items });
export const linked = (attribute: string, empty: boolean) => ({ kind: 'link-empty', attribute, empty });
