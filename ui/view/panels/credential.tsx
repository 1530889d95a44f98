import { Copy } from '../../parts/copy.tsx';
import { memo } from '../../parts/memo.ts';
import { Panel } from '../../parts/section.tsx';
import type { CredentialView } from '../../state/types.ts';
import { duration } from '../../state/words.ts';

/** The age of the credential with which new nodes join. */
export const Credential = memo(
  ({ credential, now }: { readonly credential: CredentialView | undefined; readonly now: number }) => (
    <Panel id="credential" title="Credential of new nodes">
      {credential === undefined ? (
        <p class="nothing">None is published yet.</p>
      ) : (
        <p>
          Published {duration(now - credential.publishedAt)} ago as <code>{credential.parameterName}</code>{' '}
          <Copy text={credential.parameterName} what="the name of the parameter" />
        </p>
      )}
    </Panel>
  ),
);
