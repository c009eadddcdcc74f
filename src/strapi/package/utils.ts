import * as projectErrors from '../../errors/project-errors.js';

/** The error classes of `@strapi/utils`, which are those of this package. */
export const errors = { ...projectErrors };

/** `env` of `@strapi/utils`, which reads variables of the environment as values of a type. */
export { processEnv as env } from '../../config/strapi/create-env.js';
