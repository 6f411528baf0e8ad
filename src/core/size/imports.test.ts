import { expect, test } from 'bun:test'
import { importsBetween } from './imports.ts'

const between = (texts: Record<string, string>) => Object.fromEntries(importsBetween(new Map(Object.entries(texts))))

test('JavaScript and TypeScript, in all their import forms', () => {
  const app = `import { a } from './a.ts'
import type {
  B,
} from "./b"
import './c.js'
export * from '@/lib/d'
const e = require('../e')
const f = await import('./f')
import react from 'react'
`
  const others = {
    'src/a.ts': '',
    'src/b/index.ts': '',
    'src/c.ts': '',
    'src/lib/d.tsx': '',
    'e.cjs': '',
    'src/f.mjs': '',
  }
  expect(between({ 'src/app.ts': app, ...others })).toEqual({ 'src/app.ts': Object.keys(others) })
})

test('Python, absolute and relative', () => {
  const app = `import os, shop.cart as cart
from shop.models import order, user
from . import prices
from ..core.rules import (
    Rule,
)
`
  expect(
    between({
      'src/shop/app.py': app,
      'src/shop/cart.py': '',
      'src/shop/models/order.py': '',
      'src/shop/models/__init__.py': '',
      'src/shop/prices.py': '',
      'src/core/rules.py': 'import shop.models.order',
      'src/shop/os_like.py': '',
    }),
  ).toEqual({
    'src/shop/app.py': [
      ...['src/shop/cart.py', 'src/shop/models/order.py', 'src/shop/models/__init__.py'],
      ...['src/shop/prices.py', 'src/core/rules.py'],
    ],
    'src/core/rules.py': ['src/shop/models/order.py'],
  })
})

test('Go, whose packages are folders', () => {
  const main = 'package main\n\nimport (\n\t"fmt"\n\tdb "example.com/shop/internal/db"\n)\n'
  expect(between({ 'main.go': main, 'internal/db/open.go': '', 'internal/web/db.go': 'import "fmt"' })).toEqual({
    'main.go': ['internal/db/open.go'],
  })
})

test('files of other languages, and imports of files outside the set, are ignored', () => {
  expect(between({ 'a.rs': 'use b;', 'b.ts': "import x from './gone'", 'c.ts': "// './b'" })).toEqual({})
})
