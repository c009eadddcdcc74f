const PLACEHOLDER = /<%[=-]\s*([\w.]+)\s*%>/g;

const valueAt = (data: unknown, path: string): unknown => {
  let found = data;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
};

/**
 * Fills `<%= USER.username %>` in a template. Nothing in it is run, and placeholders without a value are
 * kept.
 */
export function interpolate(template: string, data: unknown): string {
  return template.replace(PLACEHOLDER, (placeholder, path: string) => {
    const value = valueAt(data, path);
    if (typeof value === 'string') return value;
    return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : placeholder;
  });
}
