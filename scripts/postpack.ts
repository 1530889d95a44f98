/** After `npm pack`: the manifest of the checkout comes back. */
import { restoreManifest } from './pack/manifest.ts';

await restoreManifest();
