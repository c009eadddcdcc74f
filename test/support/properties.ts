import fc from 'fast-check';

/**
 * Every run generates the same examples, so that a new failure is due to a change of the code. Set
 * PROPERTY_SEED for other examples.
 */
const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_260_101);

fc.configureGlobal({ seed: SEED });

export { fc };
