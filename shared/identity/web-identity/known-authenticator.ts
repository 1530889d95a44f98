import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';

/** The linter takes `z.catch` for that of a promise. */
const orElse = z.catch;

/** A field of another form counts as absent: the API server refuses it with a better message. */
const known = <Schema extends z.ZodMiniType>(schema: Schema) => orElse(z.optional(schema), undefined);

const mapping = () => known(z.object({ claim: known(z.string()), prefix: known(z.string()) }));
const rule = () => orElse(z.object({ expression: known(z.string()) }), { expression: undefined });
const authenticator = () =>
  z.object({
    issuer: known(z.object({ url: known(z.string()), discoveryURL: known(z.string()) })),
    claimMappings: known(z.object({ username: mapping(), groups: mapping() })),
    userValidationRules: known(z.readonly(z.array(rule()))),
  });
const schema = lazily(() => z.object({ jwt: known(z.readonly(z.array(authenticator()))) }));

/** An authenticator that Drover did not write, as far as a merge looks at it. */
export type KnownAuthenticator = z.infer<ReturnType<typeof authenticator>>;

/** Those of a configuration, in their order. */
export const readAuthenticators = (configuration: unknown): readonly KnownAuthenticator[] =>
  schema().parse(configuration).jwt ?? [];
