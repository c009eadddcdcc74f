const BUILTIN: Readonly<Record<'email' | 'upload', readonly string[]>> = {
  email: ['', 'nodemailer', 'folder', '@strapi/provider-email-nodemailer'],
  upload: ['', 'local', 'aws-s3', '@strapi/provider-upload-local', '@strapi/provider-upload-aws-s3'],
};

/** Whether Galley does itself what a provider of config/plugins does. All others are packages. */
export function isBuiltinProvider(plugin: 'email' | 'upload', name: string): boolean {
  return BUILTIN[plugin].includes(name);
}
