import { kebabCase } from './casing.js';

const KEBAB_CASE = /^[a-z][\da-z]*(?:-[\da-z]+)*$/;

/** The name under which Strapi registers a file or folder: kebab case. */
export function registeredName(name: string): string {
  return KEBAB_CASE.test(name) ? name : kebabCase(name);
}
