import { Copy } from '../../parts/copy.tsx';
import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import { asOfWords, momentOf } from '../../state/seen-moment.ts';
import type { CredentialView } from '../../state/types.ts';
import { clockTime, duration } from '../../state/words.ts';

interface CredentialsProps {
  readonly credentials: readonly CredentialView[];
  readonly now: number;
}

/** The age of each credential with which new nodes join. */
export const Credentials = memo(({ credentials, now }: CredentialsProps) => (
  <Panel id="credential" title="Credential of new nodes">
    {credentials.length === 0 && <p class="nothing">None is published yet.</p>}
    {credentials.map((credential) => {
      const { parameterName } = credential;
      return (
        <p key={parameterName}>
          {ageWords(credential, now)} <code>{parameterName}</code>{' '}
          <Copy text={parameterName} what="the name of the parameter" />
        </p>
      );
    })}
  </Panel>
));

/** `Published 1 h ago as`, or `Published 1 h ago (as of 16:40) as` if it cannot be read now. */
function ageWords(credential: CredentialView, now: number): string {
  const { publishedAt } = credential;
  if (publishedAt === undefined) return 'None is published as';
  const asOf = asOfWords(credential, now, clockTime);
  const age = `${duration(momentOf(credential, now) - publishedAt)} ago`;
  return asOf === '' ? `Published ${age} as` : `Published ${age} (${asOf}) as`;
}
