// SPDX-License-Identifier: MIT
/**
 * Starts the page: its script is a third of its size when it is compressed. The page's policy names
 * the script that comes out of it, and no other runs.
 */
(async () => {
  try {
    const binary = atob(document.getElementById('script').textContent.trim());
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const script = document.createElement('script');
    script.type = 'module';
    script.textContent = await new Response(stream).text();
    document.body.append(script);
  } catch (error) {
    document.getElementById('loading').textContent =
        `The page cannot be shown: it needs a browser of 2023 or later (${error.message}).`;
  }
})();
