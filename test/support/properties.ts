import fc from 'fast-check';

/** The same examples at every run, so that a failure is one of the change at hand; PROPERTY_SEED looks for others. */
const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_260_101);

fc.configureGlobal({ seed: SEED });

export { fc };
