import { Copy } from '../../parts/copy.tsx';
import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import type { CredentialView } from '../../state/types.ts';
import { duration } from '../../state/words.ts';

interface CredentialsProps {
  readonly credentials: readonly CredentialView[];
  readonly now: number;
}

/** The age of each credential with which new nodes join. */
export const Credentials = memo(({ credentials, now }: CredentialsProps) => (
  <Panel id="credential" title="Credential of new nodes">
    {credentials.length === 0 && <p class="nothing">None is published yet.</p>}
    {credentials.map(({ parameterName, publishedAt }) => (
      <p key={parameterName}>
        {publishedAt === undefined
          ? 'None is published as'
          : `Published ${duration(now - publishedAt)} ago as`}{' '}
        <code>{parameterName}</code> <Copy text={parameterName} what="the name of the parameter" />
      </p>
    ))}
  </Panel>
));
