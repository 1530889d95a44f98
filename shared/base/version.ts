/** Drover's version: that of package.json, which a function's bundle does not contain. */
export const droverVersion = '0.1.0';
