/** The kinds of keys that `drover pki` makes. */
export const keyTypes = ['ecdsa-p256', 'rsa-2048', 'rsa-4096'] as const;
export type KeyType = (typeof keyTypes)[number];
