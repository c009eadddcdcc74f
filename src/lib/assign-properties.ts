/** Adds properties to an object. Getters stay getters. */
export function assignProperties<T extends object, U extends object>(target: T, source: U): T & U {
  return Object.defineProperties(target, Object.getOwnPropertyDescriptors(source)) as T & U;
}
