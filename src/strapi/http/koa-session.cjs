/**
 * Sessions of Koa, which the build copies into one file: CommonJS, since contexts load it when one is first
 * needed.
 */
module.exports = require('koa-session');
