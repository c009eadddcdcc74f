import * as projectErrors from '../../errors/project-errors.js';

/** The error classes of `@strapi/utils`, which are those of this package. */
export const errors = { ...projectErrors };
