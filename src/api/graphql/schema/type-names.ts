import {
  ERROR,
  PAGINATION,
  PAGINATION_ARG,
  PUBLICATION_FILTER,
  PUBLICATION_STATUS,
  SCALARS,
} from './fixed-types.js';
import { USERS_TYPES } from './users-types.js';

const FIXED_TYPES = [
  ...SCALARS,
  ...USERS_TYPES,
  ERROR,
  PAGINATION,
  PAGINATION_ARG,
  PUBLICATION_FILTER,
  PUBLICATION_STATUS,
];

const RESERVED_NAMES: readonly string[] = [
  ...FIXED_TYPES.map(({ name }) => name),
  ...SCALARS.map(({ name }) => `${name}FilterInput`),
];

/** Returns the preferred name, followed by as many underscores as it takes to be unique. */
export type ClaimTypeName = (preferredName: string) => string;

/** Creates the type names of one schema. Names that are the same in every schema are taken from the start. */
export function createTypeNames(): ClaimTypeName {
  const takenNames = new Set(RESERVED_NAMES);
  const claim: ClaimTypeName = (preferredName) => {
    const name = takenNames.has(preferredName) ? claim(`${preferredName}_`) : preferredName;
    takenNames.add(name);
    return name;
  };
  return claim;
}
