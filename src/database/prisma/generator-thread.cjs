/**
 * The worker of client-generator.ts. It is CommonJS, since Node.js cannot import the generator's other form,
 * and JavaScript, so that a thread loads it from the sources as well.
 */
const generateInThread = async (options) => {
  // Loaded here, so that a failure is that of the call, not of the thread.
  const { generateClient } = require('@prisma/client-generator-js');
  const { getDMMF } = require('@prisma/get-dmmf');
  const dmmf = getDMMF({ datamodel: options.datamodel });
  if ('error' in dmmf) throw dmmf.error;
  await generateClient({ ...options, dmmf });
};

module.exports = { generateInThread };
