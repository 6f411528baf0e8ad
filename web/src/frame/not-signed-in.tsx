import { sshTunnel } from '../../../src/core/text/ssh-tunnel.ts'

export function NotSignedIn() {
  return (
    <main class="alone">
      <h1>gza</h1>
      <p>This page is not signed in. Its address works once, and for a minute.</p>
      <p>Get a new one in a terminal, in your repository:</p>
      <pre>
        <code>gza web</code>
      </pre>
      <p>If the server runs on another machine, forward its port first, under the same number:</p>
      <pre>
        <code>{sshTunnel(location.href)}</code>
      </pre>
    </main>
  )
}
