/** `api::article.article`, `plugin::upload.file`; components: `shared.seo`. */
export type Uid = string;
